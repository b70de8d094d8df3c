import { z } from 'zod'
import { section } from '../../core/config.ts'

export const config = {
  openAPI: section('The OpenAPI document and the reference page, open to everybody who can call the API', {
    disableDefaultReference: z.boolean().default(false).describe('Serve the document without the page'),
  }),
}
