/** The configured fields of users, as controls of their types. */
import type { FieldValues, Path } from 'react-hook-form'
import type { PublicSettings } from '../../../src/features/index.ts'
import { useLocale } from '../i18n/messages.ts'
import { textIn, useFrameMessages } from '../messages/index.ts'
import { Checkbox, SelectField, TextField } from './field.tsx'
import type { FormState } from './form.tsx'

export type UserField = PublicSettings['userFields'][number]
/** What the controls contain: a text, or whether the box is checked. */
export type UserFieldInputs = Record<string, string | boolean>

export const emptyInputs = (fields: readonly UserField[]): UserFieldInputs =>
  Object.fromEntries(fields.map(({ name, type }) => [name, type === 'boolean' ? false : '']))

function readText({ type }: UserField, text: string): unknown {
  if (type === 'number') return Number(text)
  const parts = () => text.split(',').map((part) => part.trim())
  if (type === 'string[]') return parts()
  return type === 'number[]' ? parts().map(Number) : text
}

/** The values for the API. Empty fields are left out. */
const readInputs = (fields: readonly UserField[], inputs: UserFieldInputs): Record<string, unknown> =>
  Object.fromEntries(
    fields.flatMap((field) => {
      const input = inputs[field.name] ?? ''
      return input === '' ? [] : [[field.name, typeof input === 'boolean' ? input : readText(field, input)] as const]
    }),
  )

function inputOf({ type }: UserField, value: unknown): string | boolean {
  if (type === 'boolean') return value === true
  if (value === null || value === undefined) return ''
  // The control of a date has no time.
  return type === 'date' ? String(value).slice(0, 10) : Array.isArray(value) ? value.join(', ') : String(value)
}

/** What the controls contain for the values of a user. */
export const inputsOf = (fields: readonly UserField[], user: Readonly<Record<string, unknown>>): UserFieldInputs =>
  Object.fromEntries(fields.map((field) => [field.name, inputOf(field, user[field.name])]))

/** Only what the user has changed, so that a form opened long ago does not undo a change from another device. */
export function readChanges(fields: readonly UserField[], inputs: UserFieldInputs, before: UserFieldInputs) {
  const changed = fields.filter(({ name }) => inputs[name] !== before[name])
  const emptied = Object.fromEntries(changed.map(({ name }) => [name, null]))
  return { ...emptied, ...readInputs(changed, inputs) }
}

interface Props<V extends FieldValues> {
  readonly state: FormState<V>
  /** Name of the member of the form's values that has the inputs. */
  readonly member: Path<V>
  readonly fields: readonly UserField[]
}

export const UserFields = <V extends FieldValues>({ state, member, fields }: Props<V>) =>
  fields.map((field) => (
    <UserFieldControl key={field.name} field={field} control={state.field(`${member}.${field.name}` as Path<V>)} />
  ))

interface ControlProps {
  readonly field: UserField
  readonly control: ReturnType<FormState<FieldValues>['field']>
}

function UserFieldControl({ field: { type, label, required }, control }: ControlProps) {
  const t = useFrameMessages()
  const { locale } = useLocale()
  const text = textIn(locale, label)
  if (type === 'boolean') return <Checkbox {...control} label={text} />
  const look = { ...control, label: text, isOptional: !required }
  if (Array.isArray(type)) {
    const options = [{ value: '', label: t('choose') }, ...type.map((value) => ({ value, label: value }))]
    return <SelectField {...look} options={options} />
  }
  if (type === 'number') return <TextField {...look} inputMode="numeric" />
  if (type === 'date') return <TextField {...look} type="date" />
  return <TextField {...look} hint={type.endsWith('[]') ? t('commaSeparated') : null} />
}
