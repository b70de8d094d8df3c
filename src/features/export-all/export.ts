/** Writes a complete export: as it is, or in the form of another system. */
import type { App } from '../../core/app.ts'
import { readSnapshot } from '../../core/snapshot.ts'
import { recordEvent } from '../audit/index.ts'
import type { Writer } from './formats/writer.ts'
import { exportLines, textOf } from './lines.ts'
import type { Secrets } from './row-forms.ts'

interface ExportOptions extends Secrets {
  /** For the audit log. */
  readonly format: string
  /** Null: the lines as they are. */
  readonly writer: Writer | null
  /** @returns false when nothing reads the export any more */
  readonly append: (text: string) => Promise<boolean>
  readonly signal: AbortSignal
}

/**
 * @returns the number of lines that were read, with header and footer
 * @throws Error SECRET_UNKNOWN when a value was encrypted with a secret that is not configured any more; what `append` throws
 */
export async function exportAll(app: App, { format, writer, append, signal, ...secrets }: ExportOptions): Promise<number> {
  // Before the first byte, so that an export that is interrupted is recorded too.
  if (secrets.secrets) await recordEvent(app, { action: 'data.exported', details: { format, signingKeys: secrets.signingKeys } })
  return readSnapshot(app, async (inner) => {
    let lines = 0
    if (writer && !(await append(writer.start))) return lines
    for await (const page of exportLines(inner, secrets)) {
      signal.throwIfAborted()
      const text = page.map((line) => (writer ? writer.write(line) : textOf(line))).join('')
      lines += page.length
      if (text !== '' && !(await append(text))) return lines
    }
    if (writer && writer.end !== '') await append(writer.end)
    return lines
  })
}
