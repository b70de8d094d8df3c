export default defineEventHandler(async (event) => {
  const { req, res } = event.node
  await reader.signOut(req.headers, (cookies) => res.appendHeader('set-cookie', [...cookies]))
  return sendRedirect(event, '/account', 303)
})
