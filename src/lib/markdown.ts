/** Markdown of legal texts as HTML: headings, paragraphs, lists, emphasis and links. Everything else is shown as it is written. */
import { html as markup } from 'hono/html'

/** A text as HTML that shows it. */
export const escapeHTML = (text: string): string => String(markup`${text}`)

/** Other schemes, such as `javascript:`, stay text. */
const link = /\[([^\]\n]{1,500})\]\(((?:https?:\/\/|mailto:|#|\/(?!\/))[^\s()<>]{0,2000})\)/g

/** Of a text that is escaped already. */
const inline = (text: string): string =>
  text
    .replaceAll(link, '<a href="$2" rel="noopener noreferrer">$1</a>')
    .replaceAll(/\*\*([^*\n]{1,2000})\*\*/g, '<strong>$1</strong>')
    .replaceAll(/(?<![\w*])\*([^*\n]{1,2000})\*(?![\w*])/g, '<em>$1</em>')

const bullet = /^\s{0,3}[-*+]\s+/
const number = /^\s{0,3}\d{1,4}[.)]\s+/

/** A list whose items may go on in the next lines. */
function listOf(lines: readonly string[], mark: RegExp, tag: 'ul' | 'ol'): string {
  const items: string[] = []
  for (const line of lines) {
    if (mark.test(line)) items.push(line.replace(mark, ''))
    else items.push(`${items.pop() ?? ''} ${line.trim()}`)
  }
  const start = tag === 'ol' ? Number.parseInt(lines[0] ?? '1', 10) : 1
  const attribute = start === 1 || Number.isNaN(start) ? '' : ` start="${start}"`
  return `<${tag}${attribute}>${items.map((item) => `<li>${inline(item)}</li>`).join('')}</${tag}>`
}

function blockOf(block: string): string {
  const lines = block.split('\n')
  const [first = '', ...rest] = lines
  const heading = /^(#{1,6})\s+(.*?)\s*#*$/.exec(first)
  if (heading) {
    const level = heading[1]?.length ?? 1
    const title = `<h${level}>${inline(heading[2] ?? '')}</h${level}>`
    return rest.length > 0 ? `${title}\n${blockOf(rest.join('\n'))}` : title
  }
  if (/^\s{0,3}(?:-{3,}|\*{3,}|_{3,})\s*$/.test(first) && rest.length === 0) return '<hr>'
  if (bullet.test(first)) return listOf(lines, bullet, 'ul')
  if (number.test(first)) return listOf(lines, number, 'ol')
  return `<p>${inline(lines.map((line) => line.trimEnd()).join('\n'))}</p>`
}

/** @returns HTML without elements or attributes of the text itself: these are escaped */
export const markdownToHTML = (text: string): string =>
  escapeHTML(text.replaceAll(/\r\n?/g, '\n'))
    .split(/\n[ \t]*\n+/)
    .filter((block) => block.trim() !== '')
    .map(blockOf)
    .join('\n')

/** A plain text as paragraphs with the same line breaks. */
export const plainTextToHTML = (text: string): string =>
  escapeHTML(text.replaceAll(/\r\n?/g, '\n'))
    .split(/\n[ \t]*\n+/)
    .filter((block) => block.trim() !== '')
    .map((block) => `<p>${block.trimEnd().replaceAll('\n', '<br>')}</p>`)
    .join('\n')
