/** Writes derived options as `auth.config.ts`. */
import type { DerivedOption } from './derived.ts'

interface Node {
  readonly members: Map<string, Node>
  option: DerivedOption | null
}

const node = (): Node => ({ members: new Map(), option: null })

export function configText(options: readonly DerivedOption[], notes: readonly string[]): string {
  const root = node()
  for (const option of options) {
    let place = root
    for (const name of option.path.split('.')) {
      const next = place.members.get(name) ?? node()
      place.members.set(name, next)
      place = next
    }
    place.option = option
  }
  const comments = notes.map((note) => `// ${note}\n`).join('')
  return `import { defineConfig } from 'latchkey/config'\n\n// Written by latchkey move from-better-auth.\n${comments}\nexport default defineConfig({\n${members(root, '  ')}})\n`
}

function members(place: Node, indent: string): string {
  return [...place.members]
    .map(([name, { members: inner, option }]) => {
      if (inner.size > 0)
        return `${indent}${name}: {\n${valueMembers(option, indent)}${members({ members: inner, option: null }, `${indent}  `)}${indent}},\n`
      const value = option?.code ?? literal(option?.value)
      return `${indent}// ${option?.reason}\n${indent}${name}: ${value},\n`
    })
    .join('')
}

/** A section whose value is an object, and of which single options follow. */
function valueMembers(option: DerivedOption | null, indent: string): string {
  const value = option?.value
  if (typeof value !== 'object' || value === null) return ''
  return Object.entries(value)
    .map(([name, inner]) => `${indent}  ${memberName(name)}: ${literal(inner)},\n`)
    .join('')
}

const memberName = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name))

function literal(value: unknown): string {
  if (typeof value === 'string') return value.includes("'") ? JSON.stringify(value) : `'${value.replaceAll('\\', '\\\\')}'`
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  if (typeof value !== 'object' || value === null) return String(value)
  const entries = Object.entries(value).map(([name, inner]) => `${memberName(name)}: ${literal(inner)}`)
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`
}
