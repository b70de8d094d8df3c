export const load = ({ locals }) => ({ name: locals.session.user.name })
