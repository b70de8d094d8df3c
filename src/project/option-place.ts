/** Where options are set: the file and its line, for explanations. */
import { readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { ConfigShape } from '../core/config.ts'
import type { OptionPlace } from '../core/installation.ts'
import { showOptions } from './config-view.ts'
import { valueAt } from './environment.ts'
import type { LoadedConfig } from './load-config.ts'
import { findOption } from './option-source.ts'

/** The files of a configuration with their content now: read before it is loaded. @param file null: none */
export function readSources(file: string | null, directory: string): ReadonlyMap<string, string> {
  const paths = [...(file === null ? [] : [file]), join(directory, '.env')]
  return new Map(paths.map((path) => [path, statSync(path, { throwIfNoEntry: false }) ? readFileSync(path, 'utf8') : '']))
}

/** @param sources as `readSources` returns them @param paths of options, or of sections */
export function locateOptions(
  shape: ConfigShape,
  loaded: LoadedConfig,
  sources: ReadonlyMap<string, string>,
  paths: readonly string[],
): OptionPlace[] {
  const options = new Map(showOptions(shape, loaded).map((option) => [option.path, option]))
  return paths.map((path) => {
    const option = options.get(path)
    const origin = option?.origin ?? (valueAt(loaded.written, path) === undefined ? 'default' : 'file')
    const { value = null } = option ?? options.get(`${path}.enabled`) ?? {}
    return { path, value, origin, ...placeOf(path, origin, loaded, sources) }
  })
}

const nowhere = { file: null, line: null }

function placeOf(
  path: string,
  origin: string,
  { file, directory }: LoadedConfig,
  sources: ReadonlyMap<string, string>,
): Pick<OptionPlace, 'file' | 'line'> {
  const [, variable] = /^environment (\w+)$/.exec(origin) ?? []
  if (variable !== undefined) {
    const line = lineOfVariable(sources.get(join(directory, '.env')) ?? '', variable)
    return line === null ? nowhere : { file: '.env', line }
  }
  if (origin !== 'file' || file === null) return nowhere
  const line = findOption(sources.get(file) ?? '', path.replace(/\.enabled$/, ''))?.line ?? null
  return { file: relative(directory, file), line }
}

/** The last line that sets it wins. */
function lineOfVariable(source: string, name: string): number | null {
  const isOf = new RegExp(`^\\s*(?:export\\s+)?${name}(?:_FILE)?\\s*=`)
  const position = source.split('\n').findLastIndex((line) => isOf.test(line))
  return position < 0 ? null : position + 1
}
