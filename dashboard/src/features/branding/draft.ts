/** A brand that is being tried: what of it differs from the configuration, for the server and as lines of the file. */
import { type BrandFileOption, brandFileLimits } from '../../../../src/features/dashboard/schemas.ts'
import type { PublicSettings } from '../../../../src/features/index.ts'
import { isColor } from '../../../../src/lib/color.ts'
import { isWOFF2, readImage } from '../../../../src/lib/image.ts'

export type Pattern = NonNullable<NonNullable<PublicSettings['branding']['cover']>['pattern']>
export const patterns: readonly Pattern[] = ['dots', 'grid', 'rings', 'stripes']

/** A file of this browser. */
export interface PickedFile {
  readonly name: string
  /** An object URL: the server gets no file. */
  readonly url: string
  readonly ratio: number | null
}
/** `configured`: as the configuration says. */
export type FileChoice = PickedFile | 'configured' | 'none'

export interface Draft {
  readonly appName: string
  /** As typed; empty: that of Latchkey. */
  readonly accent: string
  /** Null: the same. */
  readonly accentDark: string | null
  /** Pixels. */
  readonly radius: number
  readonly cover: Pattern | 'image' | 'none'
  readonly coverImage: FileChoice
  readonly logo: FileChoice
  readonly logoDark: FileChoice
  readonly font: FileChoice
}

const defaultRadius = 6

export function draftOf({ appName, branding }: PublicSettings): Draft {
  const { accent, cover, radius } = branding
  const dark = accent?.dark.fill ?? null
  return {
    appName,
    accent: accent?.light.fill ?? '',
    accentDark: dark === accent?.light.fill ? null : dark,
    radius: radius ?? defaultRadius,
    cover: cover?.pattern ?? (cover ? 'image' : 'none'),
    ...{ coverImage: 'configured', logo: 'configured', logoDark: 'configured', font: 'configured' },
  }
}

export const isValidColor = (text: string): boolean => text === '' || isColor(text)

type Accent = string | { readonly light: string; readonly dark: string }
/** What differs. Null: without the option. */
export interface Changes {
  readonly appName?: string
  readonly accent?: Accent | null
  readonly radius?: number
  readonly cover?: Pattern | PickedFile | null
  readonly logo?: PickedFile | null
  readonly logoDark?: PickedFile | null
  readonly font?: PickedFile | null
}

function accentOf({ accent, accentDark }: Draft): Accent | null {
  if (accent === '') return null
  return accentDark === null || accentDark === '' ? accent : { light: accent, dark: accentDark }
}

function coverOf({ cover, coverImage }: Draft): Pattern | PickedFile | null | undefined {
  if (cover !== 'image') return cover === 'none' ? null : cover
  return typeof coverImage === 'object' ? coverImage : undefined
}

/** Colors that are not complete are as they were. */
export function changesOf(draft: Draft, settings: PublicSettings): Changes {
  const before = draftOf(settings)
  const isTyping = ![draft.accent, draft.accentDark ?? ''].every(isValidColor)
  const name = draft.appName.trim()
  const [accent, cover] = [accentOf(draft), coverOf(draft)]
  const isSameAccent = isTyping || JSON.stringify(accent) === JSON.stringify(accentOf(before))
  const fileOf = (option: 'logo' | 'logoDark' | 'font') => {
    const choice = draft[option]
    if (choice === 'configured' || (choice === 'none' && settings.branding[option] === null)) return {}
    return { [option]: choice === 'none' ? null : choice }
  }
  return {
    ...(name !== '' && name !== before.appName && { appName: name }),
    ...(!isSameAccent && { accent }),
    ...(draft.radius !== before.radius && { radius: draft.radius }),
    ...(cover !== undefined && draft.cover !== before.cover && { cover }),
    ...(typeof cover === 'object' && cover !== null && { cover }),
    ...{ ...fileOf('logo'), ...fileOf('logoDark'), ...fileOf('font') },
  }
}

/** As the call takes them. */
export function proposalOf({ cover, logo, logoDark, font, ...rest }: Changes) {
  const image = (file: PickedFile | null) => file && { url: file.url, ratio: file.ratio }
  return {
    ...rest,
    ...(cover !== undefined && { cover: typeof cover === 'object' && cover ? cover.url : cover }),
    ...(logo !== undefined && { logo: image(logo) }),
    ...(logoDark !== undefined && { logoDark: image(logoDark) }),
    ...(font !== undefined && { font: font === null ? null : font.url }),
  }
}

const quoted = (text: string): string =>
  `'${text
    .replaceAll('\\', '\\\\')
    .replaceAll("'", "\\'")
    .replaceAll(/[\n\r\u2028\u2029]/g, ' ')}'`
const namedRadii: Readonly<Record<number, string>> = { 0: 'square', 6: 'default', 12: 'round' }

/** The members of `auth.config.ts` that the changes are; empty without changes. */
export function configLines({ appName, accent, radius, ...files }: Changes): string {
  const textOf = (value: unknown): string => (typeof value === 'string' ? quoted(value) : String(value))
  const options: readonly (readonly [name: string, value: string | null | undefined])[] = [
    [
      'accent',
      accent &&
        (typeof accent === 'string' ? quoted(accent) : `{ light: ${quoted(accent.light)}, dark: ${quoted(accent.dark)} }`),
    ],
    ['radius', radius === undefined ? undefined : textOf(namedRadii[radius] ?? radius)],
    ...(['cover', 'logo', 'logoDark', 'font'] as const).map((name) => {
      const file = files[name]
      return [name, file && quoted(typeof file === 'string' ? file : `brand/${file.name}`)] as const
    }),
  ]
  const lines = options.flatMap(([name, value]) =>
    value === undefined ? [] : [value === null ? `    // Remove ${name}` : `    ${name}: ${value},`],
  )
  return [
    ...(appName === undefined ? [] : [`appName: ${quoted(appName)},`]),
    ...(lines.length === 0 ? [] : ['dashboard: {', '  branding: {', ...lines, '  },', '},']),
  ].join('\n')
}

export const hasFiles = ({ cover, logo, logoDark, font }: Changes): boolean =>
  [cover, logo, logoDark, font].some((value) => typeof value === 'object' && value !== null)

/** @returns why the file cannot be used, or the file */
export async function pickFile(file: File, option: BrandFileOption) {
  const { kib, extensions } = brandFileLimits[option]
  if (file.size > kib * 1024) return 'tooLarge' as const
  const bytes = new Uint8Array(await file.arrayBuffer())
  const found = isWOFF2(bytes) ? { extension: 'woff2', ratio: null } : readImage(bytes)
  if (!found || !(extensions as readonly string[]).includes(found.extension)) return 'wrongType' as const
  return { name: file.name, url: URL.createObjectURL(file), ratio: found.ratio }
}
