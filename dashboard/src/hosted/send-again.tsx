/** What to do when no code arrives: a note after another one was sent, and the form that sends it. */
import { Form } from './form.tsx'
import { Note } from './note.tsx'
import { useParameter } from './page.ts'

interface Props {
  /** The form that sends a code; it leads back to the page with `sent=again`. */
  readonly call: string
  readonly hidden: Readonly<Record<string, string | undefined>>
  /** `sendIn`: with `{time}` for the rest of the wait. */
  readonly texts: { readonly sent: string; readonly send: string; readonly sendIn: string }
  /** Seconds until the form may be sent. */
  readonly wait: number | undefined
}

export function SendAgain({ call, hidden, texts, wait }: Props) {
  return (
    <>
      {useParameter('sent') === 'again' ? (
        <Note tone="success" isLive>
          {texts.sent}
        </Note>
      ) : null}
      <Form call={call} hidden={hidden} submitLabel={texts.send} variant="secondary" wait={wait} waitLabel={texts.sendIn} />
    </>
  )
}
