import { expect, test } from 'vitest'
import type { App } from './app.ts'
import { inTurn } from './paced.ts'

test('a process does the work once at a time: who waits for it has also waited for what was under way', async () => {
  const app = { memo: new Map() } as unknown as App
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const done: string[] = []
  const gates = [first, second]
  const write = inTurn(async () => {
    const at = gates.length
    await gates.shift()?.promise
    done.push(`${at}`)
  })
  const [failing, waiting] = [write(app), write(app)]
  second.resolve()
  first.reject(new Error('unavailable'))
  await expect(failing).rejects.toThrow('unavailable')
  await waiting
  expect(done).toEqual(['1'])
})
