/** WordPress: the tables `wp_users` and, for the roles, `wp_usermeta`, in its database or as CSV. */
import { readRows } from './csv-source.ts'
import { readFlags } from './php-data.ts'
import { readStart, type SourceFile } from './source-file.ts'
import { type Fields, findTable, readPages, readRowsOf, requireTable } from './source-tables.ts'
import type { DatabaseReader, Note, Reader, Remark, SourceUser } from './source-user.ts'
import { timeOf } from './source-values.ts'

const isMeta = (start: string): boolean => /^[^\n]*\bmeta_key\b/.test(start)

/** Roles by the ID of their user; the key starts with the prefix of the tables. */
async function readRoles(files: readonly SourceFile[]): Promise<Map<string, string[]>> {
  const roles = new Map<string, string[]>()
  for (const file of files)
    for await (const { fields } of readRows(file)) {
      if (!fields?.user_id || !/(?:^|_)capabilities$/.test(fields.meta_key ?? '')) continue
      roles.set(fields.user_id, [...(roles.get(fields.user_id) ?? []), ...(readFlags(fields.meta_value ?? '') ?? [])])
    }
  return roles
}

function userOf(fields: Fields, roles: readonly string[], timeZone: string) {
  const notes: Note[] = []
  const password = fields.user_pass ?? null
  if (password === null) notes.push({ reason: 'no-password', field: 'user_pass' })
  return {
    id: fields.ID ?? null,
    email: fields.user_email ?? null,
    name: fields.display_name ?? null,
    username: fields.user_login ?? null,
    createdAt: timeOf(fields.user_registered, 'user_registered', timeZone, notes),
    ...{ password, roles, notes },
  }
}

export const readWordPress: Reader = async function* (files, { timeZone }): AsyncGenerator<SourceUser | Remark> {
  const starts = await Promise.all(files.map(readStart))
  const metaFiles = files.filter((_, position) => isMeta(starts[position] ?? ''))
  const roles = await readRoles(metaFiles)
  for (const file of files) {
    if (metaFiles.includes(file)) continue
    for await (const { line, fields } of readRows(file)) {
      const place = { file: file.name, line }
      if (!fields) yield { ...place, id: null, email: null, leftOut: { reason: 'broken-row', field: 'row' }, notes: [] }
      else yield { ...place, ...userOf(fields, roles.get(fields.ID ?? '') ?? [], timeZone) }
    }
  }
}

const userColumns = ['ID', 'user_login', 'user_pass', 'user_email', 'user_registered', 'display_name']
const metaColumns = ['user_id', 'meta_key', 'meta_value']

/** In a network of sites only the roles on the site with this prefix count. */
export const readWordPressDatabase: DatabaseReader = async function* (
  source,
  { timeZone, tablePrefix },
): AsyncGenerator<SourceUser> {
  const users = await requireTable(source, null, `${tablePrefix}users`, userColumns)
  const meta = await findTable(source, null, `${tablePrefix}usermeta`, metaColumns)
  const roleRows = { key: 'user_id', more: 'and meta_key = ?', values: [`${tablePrefix}capabilities`] }
  let line = 0
  for await (const page of readPages(source, users, 'ID')) {
    const rows = await readRowsOf(source, meta, { ...roleRows, ids: page.map(({ ID }) => ID ?? '') })
    for (const fields of page) {
      line += 1
      const roles = (rows.get(fields.ID ?? '') ?? []).flatMap((row) => readFlags(row.meta_value ?? '') ?? [])
      yield { file: users.name, line, ...userOf(fields, roles, timeZone) }
    }
  }
}
