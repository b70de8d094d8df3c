/** Puts the texts of the operator (`dashboard.texts`) into emails and text messages. */
import type { App } from '../../core/app.ts'
import type { MailContent, Reader, TextContext } from '../../core/message.ts'
import { languageTag } from '../../lib/locale.ts'
import { nameInMail } from '../../lib/mail-name.ts'
import { isRecord } from '../../lib/objects.ts'
import { fillText, type OwnText, type OwnTexts } from '../../lib/own-text.ts'
import { readOwnTexts } from '../dashboard/index.ts'
import { textContext } from './reader.ts'

/** The end of a text message by which browsers find its code, and for which host it is. */
export const codeTail = /\n\n@\S+ #\S+$/

/** The texts of an email that operators can replace, by the name of the part. */
export const partsOf = ({ subject, preheader, heading, paragraphs, action, footnote }: MailContent): Record<string, string> => ({
  ...{ subject, preheader, heading },
  ...Object.fromEntries(paragraphs.map((text, at) => [`paragraphs.${at}`, text])),
  ...(action && { action: action.label }),
  ...(footnote !== undefined && { footnote }),
})

type Write<Content> = (context: TextContext) => Content
type Fill = (key: string) => string | null

/** The email of ours, with the texts of the operator for this reader. @param write ours, in the language of the reader */
export function writeMail(app: Pick<App, 'config'>, kind: string, data: object, reader: Reader, write: Write<MailContent>) {
  const texts = findTexts(app, reader)
  if (!texts) return write(textContext(app, reader))
  const { context, fill } = filler(app, texts, data, reader)
  const content = write(context)
  const own = (part: string, text: string) => fill(`mail.${kind}.${part}`) ?? text
  const paragraphs = content.paragraphs.map((text, at) => own(`paragraphs.${at}`, text))
  const { preheader, action, footnote } = content
  // Notices have their first paragraph as preheader too.
  const first = preheader === content.paragraphs[0] ? (paragraphs[0] ?? preheader) : preheader
  return {
    ...content,
    ...{ subject: own('subject', content.subject), preheader: own('preheader', first), heading: own('heading', content.heading) },
    paragraphs,
    ...(action && { action: { ...action, label: own('action', action.label) } }),
    ...(footnote !== undefined && { footnote: own('footnote', footnote) }),
  }
}

/** The same for a text message. */
export function writeText(app: Pick<App, 'config'>, kind: string, data: object, reader: Reader, write: Write<string>): string {
  const texts = findTexts(app, reader)
  if (!texts) return write(textContext(app, reader))
  const { context, fill } = filler(app, texts, data, reader)
  const text = write(context)
  const own = fill(`text.${kind}`)
  return own === null ? text : own + (codeTail.exec(text)?.[0] ?? '')
}

const findTexts = ({ config }: Pick<App, 'config'>, { locale }: Reader): OwnTexts | undefined =>
  config.dashboard.texts === undefined ? undefined : readOwnTexts(config).texts[locale]

/** @returns what ours is written with, and then what fills a text of the operator with the same values */
function filler(app: Pick<App, 'config'>, texts: OwnTexts, data: object, reader: Reader): { context: TextContext; fill: Fill } {
  const context = textContext(app, reader)
  const written: { appName: string; duration?: string; list?: string } = { appName: app.config.appName }
  const language = languageTag<string>(reader.locale)
  const read = (name: string): unknown => (Object.hasOwn(written, name) ? Reflect.get(written, name) : valueAt(data, name))
  const fill = ({ text, formats = {} }: OwnText) =>
    fillText(text, { language, read, write: (value, name) => format(value, formats[name], context, language) })
  return {
    context: {
      ...context,
      duration(seconds) {
        const text = context.duration(seconds)
        written.duration ??= text
        return text
      },
      list(items) {
        const text = context.list(items)
        written.list ??= text
        return text
      },
    },
    fill: (key) => (texts[key] ? fill(texts[key]) : null),
  }
}

function format(value: unknown, kind: string | undefined, { time }: TextContext, language: string): string {
  if (kind === 'time') return time(String(value))
  if (kind === 'name') return nameInMail(String(value))
  return typeof value === 'number' ? new Intl.NumberFormat(language).format(value) : String(value)
}

/** @param path names with dots between them */
const valueAt = (data: unknown, path: string): unknown =>
  path.split('.').reduce((value, name) => (isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined), data)
