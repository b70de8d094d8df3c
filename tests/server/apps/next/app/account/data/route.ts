import { reader } from '../../../lib/reader'

export const GET = async ({ headers }: Request) => Response.json((await reader.requireSession(headers)).user.id)
