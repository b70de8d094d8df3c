/** The lists that can be exported, and who may export them. */
import { type App, memo } from '../../core/app.ts'
import { ApiError, errors as kernelErrors, parameterError } from '../../core/errors.ts'
import type { ExportSource } from '../../core/export-source.ts'
import { allows, grantsOf } from '../../core/permissions.ts'
import type { UserRow } from '../../core/request.ts'
import type { ListExport } from './model.ts'

const sourcesOf = memo(
  ({ features }: Pick<App, 'features' | 'memo'>): ReadonlyMap<string, ExportSource> =>
    new Map(features.flatMap(({ exportSources = {} }) => Object.entries(exportSources))),
)

/** @throws ApiError VALIDATION_ERROR for an unknown one */
export function sourceOf(app: App, name: string): ExportSource {
  const source = sourcesOf(app).get(name)
  if (!source) throw parameterError(kernelErrors.VALIDATION_ERROR, ['source'])
  return source
}

/** @throws ApiError VALIDATION_ERROR */
export function readFilter({ filter }: ExportSource, given: unknown): unknown {
  const { data, success, error } = filter.safeParse(given)
  if (!success)
    throw parameterError(kernelErrors.VALIDATION_ERROR, ['filter', ...(error.issues[0]?.path.map(String) ?? [])], error)
  return data
}

/** @throws ApiError the refusal of the list when this user may not read these rows */
export async function checkAllowed(app: App, user: UserRow, source: ExportSource, filter: unknown): Promise<void> {
  const { permissions, refusal } = source.access
  if (permissions && !allows(await grantsOf(app, user), permissions)) throw new ApiError(refusal)
  await source.authorize?.(app, user, filter)
}

/** What events about an export say of it; also of a list that the configuration has switched off. */
export function subjectOf(app: App, { id, source: name, filter: given }: Pick<ListExport, 'id' | 'source' | 'filter'>) {
  const source = sourcesOf(app).get(name)
  const { data, success } = source?.filter.safeParse(given) ?? {}
  const organizationId = success ? source?.organizationOf?.(data) : undefined
  return { target: { type: 'list-export', id }, ...(organizationId !== undefined && { organizationId }) }
}
