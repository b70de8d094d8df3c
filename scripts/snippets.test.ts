import { expect, test } from 'vitest'
import { withSnippets } from './snippets.ts'

const code = 'const price = "$& $1"\n\nspend(price)'
const fill = (page: string) => withSnippets(page, (path) => (path === 'price.ts' ? `${code}\n` : ''))
const page = (text: string) =>
  `\`\`\`sh\nls\n\`\`\`\n\nText.\n\n<!-- snippet: price.ts -->\n\`\`\`ts\n${text}\n\`\`\`\n\nMore.\n\n\`\`\`ts\nother()\n\`\`\`\n`

test('copies a file to the letter, and leaves other code blocks as they are', () => {
  expect(fill(page('old\n\nlines'))).toBe(page(code))
  expect(fill(page(code))).toBe(page(code))
})

test('rejects a marker without a code block', () => {
  expect(() => fill('<!-- snippet: price.ts -->\nText.\n')).toThrow('needs a code block on the next line')
})
