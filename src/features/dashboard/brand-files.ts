/** Files of the brand: read once per configuration, checked by their content, and served with a hash of it in their name. */
import { createHash } from 'node:crypto'
import { isFilePath } from '../../core/brand.ts'
import type { ConfigIssue } from '../../core/config.ts'
import type { PageFile } from '../../core/ports.ts'
import { readBounded } from '../../lib/bounded-file.ts'
import { isWOFF2, readImage } from '../../lib/image.ts'
import type { Config } from '../index.ts'
import { type BrandFileOption, brandFileLimits } from './schemas.ts'

/** Images of up to so many bytes are part of the page: a request for each would take longer. Of icons, so that most need none. */
export const mostEmbedded = { favicon: 1792, logo: 1536, logoDark: 1536, cover: 1536, font: 0 } as const

export interface BrandFile extends PageFile {
  /** Below that of the pages, without a slash at the start; null: it is part of the page, as a data: URL. */
  readonly name: string | null
  readonly dataURL: string
  readonly ratio: number | null
}

interface BrandFiles {
  readonly files: ReadonlyMap<BrandFileOption, BrandFile>
  readonly issues: readonly ConfigIssue[]
}

/** By configuration, so that the check, the pages and the public settings see the same content. */
const known = new WeakMap<Config, BrandFiles>()

/** Of disabled pages none is read. */
export function readBrandFiles(config: Config): BrandFiles {
  const before = known.get(config)
  if (before) return before
  const { enabled, branding } = config.dashboard
  const options = enabled ? (Object.keys(brandFileLimits) as BrandFileOption[]) : []
  const read = options.flatMap((option) => {
    const path = branding[option]
    return path === undefined || !isFilePath(path) ? [] : [[option, readBrandFile(option, path)] as const]
  })
  const found = {
    files: new Map(read.flatMap(([option, file]) => ('message' in file ? [] : [[option, file] as const]))),
    issues: read.flatMap(([, file]) => ('message' in file ? [file] : [])),
  }
  known.set(config, found)
  return found
}

function readBrandFile(option: BrandFileOption, path: string): BrandFile | ConfigIssue {
  const issue = (message: string, hint: string): ConfigIssue => ({
    ...{ id: 'branding-file', path: `dashboard.branding.${option}` },
    ...{ message, hint },
  })
  const { extensions, kib } = brandFileLimits[option]
  const read = readBounded(path, kib * 1024)
  if ('problem' in read)
    return issue(
      `Cannot use ${path}: ${read.problem}.`,
      `Name a file of at most ${kib} KiB; relative paths start at the folder of the project.`,
    )
  const { bytes } = read
  const { type, extension, ratio } = isWOFF2(bytes)
    ? { type: 'font/woff2', extension: 'woff2', ratio: null }
    : (readImage(bytes) ?? { type: '', extension: '', ratio: null })
  if (!(extensions as readonly string[]).includes(extension)) {
    const wanted = extensions.join(', ')
    return issue(`Cannot use ${path}: it is not one of ${wanted}.`, 'The content of the file decides, and not its name.')
  }
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 12)
  const isEmbedded = bytes.length <= mostEmbedded[option]
  return {
    name: isEmbedded ? null : `assets/brand-${option}-${hash}.${extension}`,
    dataURL: isEmbedded ? dataURLOf(type, bytes) : '',
    ...{ contentType: type, bytes, ratio },
  }
}

/** An SVG file compresses well as a text; in base64 it would not. */
const dataURLOf = (type: string, bytes: Uint8Array): string =>
  type === 'image/svg+xml'
    ? `data:${type},${encodeURIComponent(new TextDecoder().decode(bytes)).replaceAll(/%(2F|3A|3D|3B)/g, decodeURIComponent)}`
    : `data:${type};base64,${Buffer.from(bytes).toString('base64')}`
