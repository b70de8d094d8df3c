import { expect, test } from 'vitest'
import { versionsInForce } from './document-versions.ts'
import { markdownToHTML, plainTextToHTML } from './markdown.ts'

test('headings, paragraphs, lists, emphasis and links become HTML', () => {
  const text =
    '# Terms\n\nBe **kind** and *brief*.\r\nAlways.\n\n- one\n- two\n  goes on\n\n3. three\n\n---\n\n[Page](https://example.com/a?b=1&c=2)'
  expect(markdownToHTML(text).split('\n')).toEqual([
    '<h1>Terms</h1>',
    '<p>Be <strong>kind</strong> and <em>brief</em>.',
    'Always.</p>',
    '<ul><li>one</li><li>two goes on</li></ul>',
    '<ol start="3"><li>three</li></ol>',
    '<hr>',
    '<p><a href="https://example.com/a?b=1&amp;c=2" rel="noopener noreferrer">Page</a></p>',
  ])
})

test('elements, attributes and schemes of the text stay text', () => {
  const html = markdownToHTML('<script>1</script> [x](javascript:alert(1)) [y](https://e.com/"onclick="1) [z](//e.com)')
  expect(html).not.toMatch(/<(?!\/?p>|\/?a[ >])/)
  expect(html).not.toMatch(/href="(?!https:\/\/e\.com\/&quot;)/)
  expect(plainTextToHTML('a < b\nc')).toBe('<p>a &lt; b<br>c</p>')
})

test('of several versions, the one that took effect last is in force', () => {
  const versions = [
    { id: 'privacy', version: '2', requiredFrom: '2027-01-01T00:00:00.000Z' },
    { id: 'privacy', version: '1', requiredFrom: null },
    { id: 'terms', version: '1', requiredFrom: '2028-01-01T00:00:00.000Z' },
  ]
  const at = (time: string) => versionsInForce(versions, Date.parse(time)).map(({ id, version }) => `${id} ${version}`)
  expect(at('2026-12-31T23:59:59.999Z')).toEqual(['privacy 1'])
  expect(at('2027-01-01T00:00:00.000Z')).toEqual(['privacy 2'])
  expect(at('2028-01-01T00:00:00.000Z')).toEqual(['privacy 2', 'terms 1'])
})
