/** The fields of a user that the configuration adds, as controls of their types. */
import { useLocale } from '../i18n/messages.ts'
import { textIn, useFrameMessages } from '../messages/index.ts'
import { Checkbox, SelectField, TextField } from './form.tsx'
import { usePage } from './page.ts'
import { useFailureText } from './texts.ts'

export function UserFields() {
  const { site } = usePage()
  const { locale } = useLocale()
  const { code } = useFailureText()
  const t = useFrameMessages()
  return site.settings.userFields
    .filter(({ isOnSignUp }) => isOnSignUp)
    .map(({ name, type, label, required }) => {
      const text = textIn(locale, label)
      const look = { name, label: text, isOptional: !required }
      if (type === 'boolean') return <Checkbox key={name} name={name} label={text} />
      if (Array.isArray(type)) {
        const options = [{ value: '', label: t('choose') }, ...type.map((value) => ({ value, label: value }))]
        return <SelectField key={name} {...look} options={options} />
      }
      if (type === 'number')
        return (
          <TextField
            key={name}
            {...look}
            inputMode="numeric"
            pattern="\s*[+\-]?\d{1,15}\s*"
            data-invalid={code('INVALID_NUMBER') ?? undefined}
          />
        )
      if (type === 'date') return <TextField key={name} {...look} type="date" />
      return <TextField key={name} {...look} hint={type.endsWith('[]') ? t('commaSeparated') : null} />
    })
}
