/** Notices when files of a configuration change. */
import { type FSWatcher, watch } from 'node:fs'
import { basename, dirname } from 'node:path'

/** Milliseconds: an editor writes, renames and touches in quick succession. */
const quiet = 100

export interface Watcher {
  add(files: readonly string[]): void
  close(): void
}

/** Watches folders, not files: many editors put a new file in the place of the old one. */
export function watchFiles(onChange: () => void): Watcher {
  const folders = new Map<string, { readonly names: Set<string>; readonly watcher: FSWatcher }>()
  let timer: NodeJS.Timeout | undefined

  function notice(folder: string, name: string | null): void {
    if (name !== null && !folders.get(folder)?.names.has(name)) return
    clearTimeout(timer)
    timer = setTimeout(onChange, quiet)
  }

  return {
    add: (files) => {
      for (const file of files) {
        const folder = dirname(file)
        const known = folders.get(folder)
        if (known) known.names.add(basename(file))
        else folders.set(folder, { names: new Set([basename(file)]), watcher: watch(folder, (_, name) => notice(folder, name)) })
      }
    },
    close: () => {
      clearTimeout(timer)
      for (const { watcher } of folders.values()) watcher.close()
    },
  }
}
