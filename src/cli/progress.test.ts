import { expect, onTestFinished, test, vi } from 'vitest'
import { reportProgress } from './progress.ts'

test('prints a line every five seconds at most', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const lines: string[] = []
  const report = reportProgress({ info: (text) => void lines.push(text) }, (done) => `${done} done`)
  for (let done = 1; done <= 12; done += 1) {
    vi.advanceTimersByTime(1000)
    report(done)
  }
  expect(lines).toEqual(['5 done', '10 done'])
})
