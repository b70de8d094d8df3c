/** Files that pages create. */

/** Saves a file as a download of the browser. */
export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

/** Saves a value as a JSON file. */
export const saveJSON = (name: string, value: unknown): void =>
  saveFile(name, new Blob([JSON.stringify(value, null, 2)], { type: 'application/json' }))
