import { bigint, id, string, timestamp, unique } from '../../core/table.ts'

/** The dearest hash of each scheme that some account holds: one row per scheme, so a handful. */
export const tables = {
  passwordScheme: {
    id: id(),
    scheme: unique(string({ length: 64 })),
    rounds: bigint(),
    notedAt: timestamp(),
  },
}
