/** Django: `dumpdata auth.user`, or the table `auth_user` as CSV. */
import { readRows } from './csv-source.ts'
import { type PlacedValue, readElements } from './json-source.ts'
import { readStart, type SourceFile } from './source-file.ts'
import { joinedName, listOf, type Note, objectOf, type Reader, type SourceUser, textOf, truthOf } from './source-user.ts'
import { timeOf } from './source-values.ts'

function userOf(
  id: string | null,
  given: Readonly<Record<string, unknown>>,
  timeZone: string,
): Omit<SourceUser, 'file' | 'line'> {
  const notes: Note[] = []
  const password = textOf(given.password)
  if (!password || password.startsWith('!')) notes.push({ reason: 'no-password', field: 'password' })
  const flags = (['is_superuser', 'is_staff'] as const).filter((name) => truthOf(given[name]))
  const groups = listOf(given.groups).flatMap((group) => (listOf(group).length > 0 ? listOf(group).map(String) : [String(group)]))
  const isActive = given.is_active === undefined || given.is_active === null || truthOf(given.is_active)
  return {
    id,
    email: textOf(given.email),
    name: joinedName(given.first_name, given.last_name) ?? null,
    username: textOf(given.username),
    createdAt: timeOf(given.date_joined, 'date_joined', timeZone, notes),
    lastSignInAt: timeOf(given.last_login, 'last_login', timeZone, notes),
    ban: isActive ? null : { until: null },
    password,
    roles: [...flags, ...groups.map((name) => `group:${name}`)],
    notes,
  }
}

async function* readTable(file: SourceFile): AsyncGenerator<PlacedValue> {
  for await (const { line, fields } of readRows(file))
    yield { number: line, place: `line ${line}`, value: fields && { pk: fields.id, fields } }
}

export const readDjango: Reader = async function* (files, { timeZone }): AsyncGenerator<SourceUser> {
  for (const file of files) {
    const isJSON = (await readStart(file)).trimStart().startsWith('[')
    for await (const { number, value } of isJSON ? readElements(file, '$.*', 'object') : readTable(file)) {
      const place = { file: file.name, line: number }
      const { pk, model, fields } = objectOf(value)
      if (value === null) yield { ...place, id: null, email: null, leftOut: { reason: 'broken-row', field: 'row' }, notes: [] }
      // A dump of all has other models too; a custom model of users ends in `user` as well.
      else if (model === undefined || /\.\w*user$/i.test(String(model)))
        yield { ...place, ...userOf(textOf(pk), objectOf(fields), timeZone) }
    }
  }
}
