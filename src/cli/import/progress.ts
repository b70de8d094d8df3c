/** Keeps the checkpoint of an import, and does without where it cannot be written. */
import type { Output } from '../output.ts'
import type { Checkpoint, Progress } from './checkpoint.ts'

export interface KeptProgress {
  save(progress: Progress): Promise<void>
  /** The run ends before the file does. */
  tell(): void
  /** The whole file was read. */
  end(): Promise<void>
}

/** @param checkpoint null where there is none to keep */
export function createProgress(checkpoint: Checkpoint | null, output: Pick<Output, 'info' | 'warn'>): KeptProgress {
  let kept = checkpoint
  let line: number | null = null
  return {
    save: async (progress) => {
      try {
        await kept?.save(progress)
        line = kept && progress.number
      } catch (error) {
        kept = null
        const reason = error instanceof Error ? error.message : 'unknown reason'
        output.warn(`A run that is ended here cannot be taken up with --resume: ${reason}`)
      }
    },
    tell: () => {
      if (kept && line !== null) output.info(`Ended after line ${line}; the same command with --resume goes on there`)
    },
    end: async () => {
      await kept?.delete()
    },
  }
}
