import { z } from 'zod'
import { required } from '../../components/schemas.ts'

export const passwordOnly = z.object({ password: required })
