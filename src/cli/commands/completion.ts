import { command } from '../command.ts'

export const completion = command({
  name: 'completion',
  summary: 'Write a completion script for a shell',
  examples: [
    'source <(latchkey completion bash)',
    'source <(latchkey completion zsh)',
    'latchkey completion fish | source',
    'latchkey completion powershell | Out-String | Invoke-Expression',
  ],
  arguments: [{ syntax: '<shell>', description: 'The shell', choices: ['bash', 'zsh', 'fish', 'powershell'] }],
  input: (z) => z.object({ shell: z.enum(['bash', 'zsh', 'fish', 'powershell']) }),
  action: async ({ options, output }) => {
    const [{ chapters }, { globalOptions }, { completionModel }, { completionScript }] = await Promise.all([
      import('./index.ts'),
      import('../global-options.ts'),
      import('../completion/model.ts'),
      import('../completion/scripts.ts'),
    ])
    const entries = await Promise.all(chapters.flatMap((chapter) => chapter.entries).map(({ load }) => load()))
    const script = completionScript(options.shell, completionModel(entries, globalOptions))
    output.result('completion/v1', { shell: options.shell, script }, script.trimEnd())
  },
})
