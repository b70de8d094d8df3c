/** The format of PHP's `serialize`, read as data: nothing in it is executed, and objects are not made. */

/** @returns the keys of a list whose values are true: `a:1:{s:13:"administrator";b:1;}`; null when it is not such a text */
export function readFlags(serialized: string): string[] | null {
  const [start, size] = /^a:(\d{1,3}):\{/.exec(serialized) ?? []
  if (start === undefined) return null
  const entry = /^s:(\d{1,4}):"([^"]{0,1024})";(?:b:([01])|i:(\d{1,10})|s:\d{1,4}:"([^"]{0,1024})");/
  const names: string[] = []
  let rest = serialized.slice(start.length)
  for (let count = 0; count < Number(size); count += 1) {
    const match = entry.exec(rest)
    const [whole = '', length, name = '', flag, number, text] = match ?? []
    if (!match || Buffer.byteLength(name) !== Number(length)) return null
    if (flag === '1' || (number !== undefined && number !== '0') || text === '1') names.push(name)
    rest = rest.slice(whole.length)
  }
  return rest === '}' ? names : null
}
