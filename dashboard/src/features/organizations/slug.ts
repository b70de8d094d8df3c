/** A slug that is suggested for a name: `Halden Ferry & Sons` becomes `halden-ferry-sons`. */

const longest = 48
/** Letters that do not decompose into a base letter and an accent. */
const written: Readonly<Record<string, string>> = { ß: 'ss', æ: 'ae', ø: 'o', œ: 'oe', đ: 'd', ł: 'l', þ: 'th', ı: 'i' }

/** @returns an empty text for a name without letters of the Latin alphabet or digits */
export const suggestSlug = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^\p{ASCII}]/gu, (letter) => written[letter] ?? '-')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, longest)
    .replaceAll(/^-+|-+$/g, '')
