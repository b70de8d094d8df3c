/** Custom fields as forms show them. */
import { z } from 'zod'
import type { AdditionalFields } from './index.ts'

/** The fields of forms, for pages. */
export const fieldDescriptions = z
  .array(
    z.object({
      name: z.string(),
      type: z
        .union([z.string(), z.array(z.string())])
        .meta({ description: 'As in the configuration; a list: the allowed values' }),
      required: z.boolean(),
      label: z.union([z.string(), z.record(z.string(), z.string())]).meta({ description: 'A text, or one per language' }),
      isOnSignUp: z.boolean(),
      isEditable: z.boolean(),
    }),
  )
  .meta({
    examples: [[{ name: 'company', type: 'string', required: false, label: 'Company', isOnSignUp: true, isEditable: true }]],
  })

/** The fields that users may set themselves. A field with a default value may be left out. */
export const describeFields = (fields: AdditionalFields): z.input<typeof fieldDescriptions> =>
  Object.entries(fields)
    .filter(([, { input }]) => input)
    .map(([name, { type, required, label, defaultValue }]) => ({
      name,
      type: Array.isArray(type) ? [...type] : type,
      required: required && defaultValue === undefined,
      label: label ?? labelOf(name),
      isOnSignUp: true,
      isEditable: true,
    }))

/** `companyName` → `Company name`. */
function labelOf(name: string): string {
  const words = name.replaceAll('_', ' ').replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, ' ')
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1).toLowerCase()}`
}
