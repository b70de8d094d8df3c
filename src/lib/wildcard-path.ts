/** A test of paths: exact, or with `*` for any characters within one part and `**` for any depth (contract 00 §6, §7). */
export function wildcardPath(pattern: string): (path: string) => boolean {
  if (!pattern.includes('*') && !pattern.includes('?')) return (path) => path === pattern
  const parts = pattern.split(/(\*\*|\*|\?)/).map((part) => wildcards[part] ?? part.replaceAll(/[.+^${}()|[\]\\]/g, '\\$&'))
  const expression = new RegExp(`^${parts.join('')}/*$`)
  return (path) => expression.test(path)
}

const wildcards: Readonly<Record<string, string>> = { '**': '.*', '*': '[^/]*', '?': '[^/]' }
