import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createCheckpoint } from './import-checkpoint.ts'

test('a finished import leaves no file, also not of an earlier run that was killed while it saved', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'checkpoint-'))
  const path = join(directory, 'users.jsonl')
  writeFileSync(path, '{}\n')
  const handle = await open(path)
  onTestFinished(async () => {
    await handle.close()
    rmSync(directory, { recursive: true })
  })
  const checkpoint = createCheckpoint({ path, handle }, directory, 'mysql://127.0.0.1/auth')
  await checkpoint.delete()
  await checkpoint.save({ number: 1, end: 3, counts: { created: 1, unchanged: 0, conflict: 0, invalid: 0 } })
  expect(await checkpoint.find()).toMatchObject({ number: 1, end: 3 })

  const folder = join(directory, '.latchkey/imports')
  const [saved = ''] = readdirSync(folder)
  const { pid: ended } = spawnSync(process.execPath, ['--version'])
  const written = [`${saved}.${ended}-0123456789ab`, `${saved}.${process.ppid}`, 'another.json']
  for (const name of written) writeFileSync(join(folder, name), '')
  await checkpoint.delete()
  expect(readdirSync(folder).sort()).toEqual([`${saved}.${process.ppid}`, 'another.json'].sort())
})
