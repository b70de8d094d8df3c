/** Files that pages create. */

/** Saves a file as a download of the browser. */
function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content)
  saveURL(url, name)
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

/** Saves what a URL has. @param name default: what the server says */
export function saveURL(url: string, name = ''): void {
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
}

/** Saves a value as a JSON file. */
export const saveJSON = (name: string, value: unknown): void =>
  saveFile(name, new Blob([JSON.stringify(value, null, 2)], { type: 'application/json' }))

/** Saves a text as a file. */
export const saveText = (name: string, text: string): void => saveFile(name, new Blob([text], { type: 'text/plain' }))
