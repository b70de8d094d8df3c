/** The names of languages in menus. */
import { isInformal, languageTag } from '../../../src/lib/locale.ts'

/**
 * Each language in its own words, so that readers of it find it.
 * @param locales of the menu: the form of address is named only where there are both
 */
export function nameOfLocale(locale: string, locales: readonly string[]): string {
  const tag = languageTag(locale)
  const name = new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag
  const hasBoth = locales.some((other) => other !== locale && languageTag(other) === tag)
  return `${name.charAt(0).toLocaleUpperCase(tag)}${name.slice(1)}${isInformal(locale) && hasBoth ? ' (du)' : ''}`
}
