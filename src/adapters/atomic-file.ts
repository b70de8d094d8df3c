/** Writes small files so that a reader, or a process that is killed, sees either the old content or the new one. */
import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'

export interface AtomicFileOptions {
  /** Default: that of the umask. */
  readonly mode?: number
  /** Whether the content must survive a power failure. Default: false. */
  readonly isDurable?: boolean
}

/**
 * The temporary file has the name of the target, the process id and a random part: two containers may share a folder and a
 * process id.
 * @throws Error as `fs.openSync`, `fs.writeFileSync` and `fs.renameSync`; then no temporary file is left
 */
export function writeFileAtomically(
  path: string,
  text: string,
  { mode = 0o666, isDurable = false }: AtomicFileOptions = {},
): void {
  const temporary = `${path}.${process.pid}-${randomBytes(6).toString('hex')}`
  try {
    const fd = openSync(temporary, 'wx', mode)
    try {
      writeFileSync(fd, text)
      if (isDurable) fsyncSync(fd)
    } finally {
      closeSync(fd)
    }
    renameSync(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}
