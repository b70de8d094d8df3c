/** Pseudo-locales: English in forms that show texts outside the catalogue, cut texts and layouts that only work from left to right. */

const accented: Readonly<Record<string, string>> = {
  ...{
    a: 'á',
    b: 'ƀ',
    c: 'ç',
    d: 'đ',
    e: 'é',
    f: 'ƒ',
    g: 'ĝ',
    h: 'ĥ',
    i: 'í',
    j: 'ĵ',
    k: 'ķ',
    l: 'ļ',
    m: 'ɱ',
    n: 'ñ',
    o: 'ó',
    p: 'þ',
  },
  ...{
    q: 'ɋ',
    r: 'ŕ',
    s: 'š',
    t: 'ţ',
    u: 'ú',
    v: 'ṽ',
    w: 'ŵ',
    x: 'ẋ',
    y: 'ý',
    z: 'ž',
    A: 'Á',
    B: 'Ɓ',
    C: 'Ç',
    D: 'Đ',
    E: 'É',
    F: 'Ƒ',
  },
  ...{ G: 'Ĝ', H: 'Ĥ', I: 'Í', J: 'Ĵ', K: 'Ķ', L: 'Ļ', M: 'Ṁ', N: 'Ñ', O: 'Ó', P: 'Þ', Q: 'Ɋ', R: 'Ŕ', S: 'Š', T: 'Ţ', U: 'Ú' },
  ...{ V: 'Ṽ', W: 'Ŵ', X: 'Ẋ', Y: 'Ý', Z: 'Ž' },
}

/** Accents show missing entries; two fifths more length shows what is cut, since translations are longer than English. */
const expand = (text: string): string =>
  `[${text.replaceAll(/[a-z]/gi, (letter) => accented[letter] ?? letter)}${'~'.repeat(Math.ceil(text.length * 0.4))}]`

/** Right-to-left override around the text: letters run from right to left, as in Arabic. */
const mirror = (text: string): string => `\u202e${text}\u202c`

export const pseudoLocales: Readonly<Record<string, (text: string) => string>> = { 'en-XA': expand, 'ar-XB': mirror }
