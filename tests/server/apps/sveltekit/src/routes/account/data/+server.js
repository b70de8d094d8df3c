export const GET = ({ locals }) => Response.json(locals.session.user.id)
