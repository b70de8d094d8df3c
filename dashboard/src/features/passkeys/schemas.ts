import { z } from 'zod'
import { required } from '../../components/schemas.ts'

export const passkeyName = z.object({ name: required })
