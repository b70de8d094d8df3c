/** Files that exports write. */
import { existsSync } from 'node:fs'
import { exitCodes, Failure } from '../../project/failure.ts'

/** @throws Failure FILE_EXISTS */
export function checkAbsent(file: string): void {
  if (!existsSync(file)) return
  const hint = 'Choose another file, or add --force to overwrite it.'
  throw new Failure('FILE_EXISTS', `${file} already exists. Nothing was written`, { exitCode: exitCodes.refused, hint })
}

/** Writes a file that only its owner can read. It has another name until it is complete, and none when that fails. */
export async function writeNewFile(
  file: string,
  write: (append: (text: string) => Promise<void>) => Promise<void>,
): Promise<void> {
  const { open, rename, rm } = await import('node:fs/promises')
  const partial = `${file}.partial`
  await rm(partial, { force: true })
  const handle = await open(partial, 'wx', 0o600)
  try {
    await write((text) => handle.appendFile(text))
    await handle.sync()
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  } finally {
    await handle.close()
  }
  await rename(partial, file)
}
