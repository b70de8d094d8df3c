/** Copies files into the code blocks of a page, so that the page shows only code that a test runs. */

/** A marker, and the code block on the next line. */
const block = /<!-- snippet: (\S+) -->\n(?:(```\w+\n)[\s\S]*?^```\n)?/gm

/**
 * Fills each code block below a marker `<!-- snippet: path -->`.
 * @param read returns the text of a file, by its path from the root of the repository
 * @throws Error for a marker without a code block
 */
export const withSnippets = (page: string, read: (path: string) => string): string =>
  page.replaceAll(block, (marker, path: string, fence: string | undefined) => {
    if (!fence) throw new Error(`${marker.trim()} needs a code block on the next line`)
    return `<!-- snippet: ${path} -->\n${fence}${read(path).trimEnd()}\n\`\`\`\n`
  })
