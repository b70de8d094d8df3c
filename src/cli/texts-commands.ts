/** `texts list` and `texts export`: the texts that operators can replace, to start a file of `dashboard.texts` from. */
import type { TextEntry } from '../features/dashboard/index.ts'
import type { OwnTexts, TextValue } from '../lib/own-text.ts'
import { usageError } from '../project/failure.ts'
import type { LoadedConfig } from '../project/load-config.ts'
import { command, flag, group, option, text } from './command.ts'

const localeOption = (description: string) =>
  option('--locale <tag>', description, (z) =>
    z
      .string()
      .regex(/^[a-z]{2,3}(-informal)?$/)
      .optional(),
  )

/** A text as files have it: the value by which plural forms are chosen needs no name. */
const asWritten = (value: TextValue, plural: string | undefined): unknown => {
  if (typeof value === 'string') return value
  const { by, ...forms } = value
  const written = Object.entries(forms).map(([form, each]) => [form, asWritten(each, plural)])
  return { ...(by !== plural && { by }), ...Object.fromEntries(written) }
}

/** Of the file of the configuration for this language. */
async function ownTexts({ config }: LoadedConfig, locale: string): Promise<OwnTexts> {
  const { readOwnTexts } = await import('../features/dashboard/index.ts')
  return readOwnTexts(config).texts[locale] ?? {}
}

const describe = ({ varies = [] }: TextEntry): string => (varies.length > 0 ? `  (varies by ${varies.join(', ')})` : '')

const list = command('list', 'List the texts that you can replace', {
  description:
    'Prints one key per line with its text: that of your file, or the English one. {name} is a value; a text with several forms is an object. Where a text varies by a value, Latchkey writes another one for some of its values, and forms "by" it can do the same. See docs/languages.md.',
  examples: ['latchkey texts list', 'latchkey texts list --locale nl --missing', 'latchkey texts list --json'],
  options: {
    locale: localeOption('Show the texts of your file for this language'),
    missing: flag('--missing', 'Only those that are not in the file; needs --locale'),
  },
  exitCodes: [8],
  deadline: 30,
  action: async ({ options, output, loadConfig }) => {
    const { locale, missing } = options
    if (missing && locale === undefined) throw usageError('--missing: needs --locale')
    const { textList } = await import('../features/dashboard/index.ts')
    // Who looks for the right key has no valid configuration yet.
    const own = locale === undefined ? {} : await ownTexts(await loadConfig(), locale)
    const shown = [...textList()].filter(([key]) => !(missing && own[key]))
    const texts = shown.map(([key, entry]) => ({
      ...{ key, text: asWritten(own[key]?.text ?? entry.text, entry.plural), isOwn: own[key] !== undefined },
      ...{ values: entry.values, varies: entry.varies ?? [] },
    }))
    const lines = shown.map(([key, entry], at) => `${key}  ${JSON.stringify(texts[at]?.text)}${describe(entry)}`)
    output.result('texts-list/v1', { locale: locale ?? null, texts }, lines)
    if (texts.length === 0) output.info(`The file has all ${textList().size} texts`)
  },
})

const exportCommand = command('export', 'Export all texts to translate', {
  description:
    'Writes a file for dashboard.texts with all keys: your text where the configuration has a file for the language already, and the English one otherwise. Translate it, and remove what need not be replaced.',
  examples: ['latchkey texts export --locale nl --out texts/nl.json', 'latchkey texts export --locale de'],
  options: {
    locale: option('--locale <tag>', 'Language of the file, such as nl', (z) => z.string().regex(/^[a-z]{2,3}(-informal)?$/)),
    out: text('-o, --out <file>', 'Write to this file; default: the output'),
    force: flag('--force', 'Overwrite an existing file'),
  },
  exitCodes: [4, 8],
  deadline: 30,
  action: async ({ options, output, cwd, loadConfig }) => {
    const { textList } = await import('../features/dashboard/index.ts')
    const own = await ownTexts(await loadConfig(), options.locale)
    const texts = [...textList()].map(([key, { text: english, plural }]) => [key, asWritten(own[key]?.text ?? english, plural)])
    const document = Object.fromEntries(texts)
    const content = `${JSON.stringify(document, null, 2)}\n`
    if (options.out === undefined)
      return output.result('texts-export/v1', { locale: options.locale, texts: document }, content.trimEnd())
    const { resolve } = await import('node:path')
    const { checkAbsent, writeNewFile } = await import('./transfer/new-file.ts')
    const file = resolve(cwd, options.out)
    if (!options.force) checkAbsent(file)
    await writeNewFile(file, (append) => append(content))
    output.result('texts-export/v1', { locale: options.locale, file, texts: texts.length }, [])
    output.success(`Exported ${texts.length} texts to ${file}`)
  },
})

export const texts = group('texts', 'List and export texts to replace', {
  examples: ['latchkey texts list', 'latchkey texts export --locale nl --out texts/nl.json'],
  commands: [list, exportCommand],
})
