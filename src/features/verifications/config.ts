import { z } from 'zod'
import { group } from '../../core/config.ts'

export const config = {
  verification: group('Single-use secrets', {
    disableCleanup: z
      .boolean()
      .default(false)
      .describe('Keep the rows of secrets that have expired; they open nothing, and the table grows for ever'),
  }),
}
