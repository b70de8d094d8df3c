/** Everything that the database has of users and organizations, as one file; and back. */
export { type Checked, checkExport } from './check.ts'
export { exportAll } from './export.ts'
export { importExport } from './insert.ts'
export { exportJSONSchema } from './line-schema.ts'
export type { Problem } from './parsed-line.ts'

export const auditActions = {
  'data.exported': 'An export of everything, with password hashes and other secrets, was started',
  'data.imported': 'Lines of a complete export were imported; one event for each transaction, with counts',
}
