/** Texts of the operator in place of ours, as pages, emails and text messages use them. They are read and checked at start. */

/**
 * A text, in which `{name}` is a value; or one text for each form of the value `by`: its plural forms, and `=0` for one number, with `#` as
 * the number, or its values, such as `true`. `other` is the form for the rest.
 */
export type TextValue = string | TextForms
export interface TextForms {
  readonly by: string
  readonly other: TextValue
  readonly [form: string]: TextValue
}

export interface OwnText {
  readonly text: TextValue
  /** How values are written, by name: such as `date`. */
  readonly formats?: Readonly<Record<string, string>>
}

/** By key, such as `sign-in.title`. */
export type OwnTexts = Readonly<Record<string, OwnText>>

/** A value in a text, by its name. */
export const placeholder = /\{([\w.-]+)\}/g

export interface TextValues {
  /** Whose plural forms and numbers these are, such as `pl`. */
  readonly language: string
  /** @returns undefined for a value that there is not */
  readonly read: (name: string) => unknown
  readonly write: (value: unknown, name: string) => string
}

/** The text with the values in place of their names. @returns null when one of its values is not there: then the text of ours fits better */
export function fillText(text: TextValue, values: TextValues): string | null {
  const { language, read, write } = values
  if (typeof text !== 'string') return fillText(formOf(text, read(text.by), language), values)
  const isMissing = (name: string) => (read(name) ?? null) === null
  if ([...text.matchAll(placeholder)].some(([, name = '']) => isMissing(name))) return null
  return text.replaceAll(placeholder, (_, name: string) => write(read(name), name))
}

function formOf(forms: TextForms, value: unknown, language: string): TextValue {
  const find = (form: string) => (Object.hasOwn(forms, form) && form !== 'by' ? forms[form] : undefined)
  if (typeof value !== 'number') return find(String(value)) ?? forms.other
  const found = find(`=${value}`) ?? find(new Intl.PluralRules(language).select(value)) ?? forms.other
  return typeof found === 'string' ? found.replaceAll('#', new Intl.NumberFormat(language).format(value)) : found
}
