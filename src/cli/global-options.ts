/** The flags of every command. */
import type { OptionDefinition } from './command.ts'

export const globalOptions: readonly OptionDefinition[] = [
  {
    flags: '-c, --config <file>',
    description: 'Configuration to use; default: auth.config.ts or config/auth.config.ts, here or in a folder above',
  },
  { flags: '--json', description: 'One JSON document on standard output' },
  { flags: '-y, --yes', description: 'Take the offered answers; never for what destroys' },
  { flags: '--no-input', description: 'Ask nothing' },
  { flags: '-q, --quiet', description: 'Only results and failures' },
  { flags: '--debug', description: 'Show stacks and debug messages' },
  { flags: '--no-color', description: 'No colours; NO_COLOR does the same' },
]
