/** The terms that a new user accepts: a box to check, or a sentence. */
import { versionsInForce } from '../../../src/lib/document-versions.ts'
import { linkLook } from '../components/look.ts'
import { useLocale, useMessages } from '../i18n/messages.ts'
import { textIn } from '../messages/index.ts'
import { Checkbox } from './form.tsx'
import { usePage, useSettings } from './page.ts'
import { termsMessages } from './terms-messages.ts'

/** Stands for the links in the text around them. */
const place = '\u0000'

export function TermsField() {
  const t = useMessages(termsMessages)
  const { locale } = useLocale()
  const { page } = usePage()
  const { terms } = useSettings()
  const documents = terms
    ? versionsInForce(terms.documents, page.time === '' ? Number.POSITIVE_INFINITY : Date.parse(page.time))
    : []
  if (!terms || documents.length === 0) return null
  const isBox = terms.atSignUp === 'checkbox'
  const [before = '', after = ''] = (
    isBox ? t('signUpBox', { documents: place }) : t('signUpSentence', { documents: place })
  ).split(place)
  const versions = JSON.stringify(Object.fromEntries(documents.map(({ id, version }) => [id, version])))
  const label = (
    <>
      {before}
      {documents.map(({ id, title, url }, position) => (
        <span key={id}>
          {position > 0 ? ', ' : ''}
          <a href={url} target="_blank" rel="noopener noreferrer" className={linkLook(true)}>
            {textIn(locale, title)}
          </a>
        </span>
      ))}
      {after}
    </>
  )
  if (isBox) return <Checkbox name="terms" value={versions} label={label} />
  return (
    <p className="text-14 text-muted">
      <input type="hidden" name="terms" value={versions} />
      {label}
    </p>
  )
}
