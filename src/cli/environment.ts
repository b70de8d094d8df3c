/** Environment variables as an object; `process.env` in the program, a plain one in tests. */
export type Environment = Record<string, string | undefined>
