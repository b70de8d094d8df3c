/** What every page loads. */
import { expect, test } from 'vitest'
import { hostedFolders } from './hosted.ts'

test('the sign-in page loads the declarations of no other frame', () => {
  const others = hostedFolders.flatMap(({ screens }) => screens.filter(({ frame }) => frame !== 'hosted'))
  expect(others.map(({ path }) => path)).toEqual([])
})
