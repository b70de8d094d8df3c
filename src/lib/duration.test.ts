import { expect, test } from 'vitest'
import { durationInWords } from './duration.ts'

test.each([
  [1, '1 second'],
  [59, '59 seconds'],
  [60, '1 minute'],
  [119, '1 minute'],
  [600, '10 minutes'],
  [3600, '1 hour'],
  [5400, '90 minutes'],
  [86_400, '24 hours'],
  [172_800, '2 days'],
])('%i seconds are %s', (seconds, words) => expect(durationInWords(seconds)).toBe(words))
