export default defineEventHandler((event) => JSON.stringify(event.context.session.user.id))
