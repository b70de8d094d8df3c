INSERT INTO latchkey.organization (id, name, slug, logo, createdAt, metadata, memberCount)
SELECT o.id, o.name, o.slug, o.logo, o.createdAt, o.metadata,
  (SELECT COUNT(*) FROM app.member m JOIN latchkey.user u ON u.id = m.userId WHERE m.organizationId = o.id)
FROM app.organization o;
INSERT INTO latchkey.team (id, name, organizationId, createdAt, updatedAt)
SELECT id, name, organizationId, createdAt, updatedAt FROM app.team;
INSERT INTO latchkey.member (id, organizationId, userId, role, teamId, createdAt)
SELECT m.id, m.organizationId, m.userId, m.role, m.teamId, m.createdAt
FROM app.member m JOIN latchkey.user u ON u.id = m.userId;
