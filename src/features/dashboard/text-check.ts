/** Checks a text of the operator against ours: its form, and the values in it. */
import { languageTag } from '../../lib/locale.ts'
import { isRecord } from '../../lib/objects.ts'
import { placeholder, type TextForms, type TextValue } from '../../lib/own-text.ts'
import type { TextEntry } from './text-list.ts'

const longestText = 5000
const mostLevels = 4

/** @returns what is wrong, as the end of a sentence about the key */
export function checkText(entry: TextEntry, given: unknown, locale: string, level = 1): { text: TextValue } | string {
  if (typeof given === 'string') return checkPlain(entry, given)
  if (!isRecord(given)) return 'must be a text, or an object of its forms'
  if (level > mostLevels) return `has more than ${mostLevels} levels of forms`
  const { by = entry.plural, ...forms } = given
  const choices = [...new Set([entry.plural, ...(entry.varies ?? []), ...entry.values])].filter((name) => name !== undefined)
  if (by === undefined)
    return choices.length === 0 ? 'has no values, so it has no forms' : `needs "by": one of ${choices.join(', ')}`
  if (typeof by !== 'string' || !choices.includes(by)) return `cannot have forms by ${JSON.stringify(by).slice(0, 50)}`
  if (!Object.hasOwn(forms, 'other')) return 'needs the form "other"'
  const wrong = by === entry.plural ? Object.keys(forms).find((form) => !isPluralForm(form, locale)) : undefined
  if (wrong !== undefined) return `has the form "${wrong.slice(0, 50)}", and the language has ${pluralForms(locale).join(', ')}`
  const made: [string, TextValue][] = []
  for (const [form, each] of Object.entries(forms)) {
    const checked = checkText(entry, each, locale, level + 1)
    if (typeof checked === 'string') return `${checked} (form "${form.slice(0, 50)}")`
    made.push([form, checked.text])
  }
  return { text: { ...Object.fromEntries(made), by } as TextForms }
}

const pluralForms = (locale: string): string[] =>
  new Intl.PluralRules(languageTag<string>(locale)).resolvedOptions().pluralCategories

const isPluralForm = (form: string, locale: string): boolean =>
  /^=\d{1,6}$/.test(form) || (pluralForms(locale) as readonly string[]).includes(form)

function checkPlain({ values, required = [] }: TextEntry, text: string): { text: string } | string {
  if (text.trim() === '') return 'is empty'
  if (text.length > longestText) return `has more than ${longestText} characters`
  // A subject and a name on a page are one line, and no text contains what a terminal or a header would act on.
  if (/\p{Cc}/u.test(text)) return 'contains a control character, such as a line break'
  const names = [...text.matchAll(placeholder)].map(([, name = '']) => name)
  const unknown = names.find((name) => !values.includes(name))
  if (unknown !== undefined) {
    const own = values.length === 0 ? 'it has no values' : `its values are ${values.map((name) => `{${name}}`).join(', ')}`
    return `contains {${unknown.slice(0, 50)}}, and ${own}`
  }
  const missing = required.find((name) => !names.includes(name))
  return missing === undefined ? { text } : `must contain {${missing}}`
}
