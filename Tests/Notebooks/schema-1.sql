-- A notebook as version 1 of the schema kept it, with a few notes, folders, a project and what undo can take back.
-- Never to be changed: every later version must be able to open it.
PRAGMA foreign_keys = OFF;
CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
INSERT INTO grdb_migrations VALUES('1');
CREATE TABLE container (
    id INTEGER PRIMARY KEY,
    uuid TEXT NOT NULL COLLATE NOCASE UNIQUE CHECK (length(uuid) = 36),
    kind TEXT NOT NULL CHECK (kind IN
        ('inbox', 'starred', 'allNotes', 'trash', 'archive', 'buffer', 'folder', 'project', 'tag')),
    name TEXT NOT NULL CHECK (trim(name) <> ''),
    nameKey TEXT NOT NULL,
    parent INTEGER REFERENCES container(id) ON DELETE CASCADE CHECK (parent <> id),
    createdDate INTEGER NOT NULL,
    colorRGBA INTEGER NOT NULL DEFAULT 4280728063,
    symbol TEXT NOT NULL DEFAULT 'folder',
    sortOrder INTEGER NOT NULL DEFAULT 0,
    role TEXT,
    projectType TEXT CHECK (projectType IN ('poetry', 'prose', 'drama')),
    details TEXT NOT NULL DEFAULT '',
    place INTEGER NOT NULL DEFAULT 0 CHECK (place IN (0, 2)),
    -- The project it lies in (a project: itself), and the project's "All" that shows its notes.
    project INTEGER REFERENCES container(id) ON DELETE SET NULL,
    gatheredBy INTEGER REFERENCES container(id) ON DELETE SET NULL,
    -- Where it lay before it was moved to Trash: the parent, and the names of the way to it as a JSON array.
    origin INTEGER REFERENCES container(id) ON DELETE SET NULL,
    originPath TEXT,
    trashedDate INTEGER,
    noteCount INTEGER NOT NULL DEFAULT 0
);
INSERT INTO container VALUES(1,'7A4E0000-0000-4000-8000-000000000001','inbox','Inbox','inbox',NULL,1795288933912,4280728063,'tray',0,NULL,NULL,'',0,NULL,NULL,NULL,NULL,NULL,1);
INSERT INTO container VALUES(2,'7A4E0000-0000-4000-8000-000000000002','starred','Starred','starred',NULL,1795288933917,4280728063,'star.fill',1,NULL,NULL,'',0,NULL,NULL,NULL,NULL,NULL,2);
INSERT INTO container VALUES(3,'7A4E0000-0000-4000-8000-000000000003','allNotes','All Notes','all notes',NULL,1795288933918,4280728063,'text.pad.header',2,NULL,NULL,'',0,NULL,NULL,NULL,NULL,NULL,2);
INSERT INTO container VALUES(4,'7A4E0000-0000-4000-8000-000000000004','trash','Trash','trash',NULL,1795288933919,4280728063,'trash',3,NULL,NULL,'',0,NULL,NULL,NULL,NULL,NULL,1);
INSERT INTO container VALUES(5,'7A4E0000-0000-4000-8000-000000000005','archive','Archive','archive',NULL,1795288933919,4280728063,'archivebox',4,NULL,NULL,'',0,NULL,NULL,NULL,NULL,NULL,0);
INSERT INTO container VALUES(6,'7A4E0000-0000-4000-8000-000000000006','buffer','Buffer','buffer',NULL,1795288933920,4280728063,'folder',5,NULL,NULL,'',0,NULL,NULL,NULL,NULL,NULL,0);
INSERT INTO container VALUES(7,'7C9B72DE-A6B3-49B7-BA14-D19B269E62A1','folder','Home','home',NULL,1795288933926,4280728063,'folder',0,NULL,NULL,'',0,NULL,NULL,NULL,NULL,NULL,1);
INSERT INTO container VALUES(8,'E95F4C13-FFC3-4752-8B5E-C399CA5AE333','tag','books','books',NULL,1795288933980,4280728063,'tag.fill',0,NULL,NULL,'',0,NULL,NULL,NULL,NULL,NULL,1);
INSERT INTO container VALUES(9,'936A80E0-8C48-45F5-8E21-513E80C48F69','project','Poems','poems',NULL,1795288934086,4280728063,'folder',0,NULL,'poetry','',0,9,NULL,NULL,NULL,NULL,0);
INSERT INTO container VALUES(10,'005A94D1-A559-443C-8FB2-C105AC0D1E24','folder','Your Poetry','your poetry',9,1795288934086,4280728063,'folder',-999,'work',NULL,'',0,9,NULL,NULL,NULL,NULL,0);
INSERT INTO container VALUES(11,'02C16D16-C226-43DC-B2E5-DF3AD1B94D01','folder','All','all',10,1795288934086,4280728063,'folder',-999,'all',NULL,'',0,9,NULL,NULL,NULL,NULL,0);
INSERT INTO container VALUES(12,'F747AD95-3EBC-4ABE-9F44-63DAA147A308','folder','Draft','draft',10,1795288934086,4280728063,'folder',-998,'draft',NULL,'',0,9,11,NULL,NULL,NULL,0);
INSERT INTO container VALUES(13,'0A05FE6B-695B-4FB8-B76C-7CAF04E160AF','folder','Ready','ready',10,1795288934086,4280728063,'folder',-997,'ready',NULL,'',0,9,11,NULL,NULL,NULL,0);
INSERT INTO container VALUES(14,'189F92A6-59C1-428F-A06A-7202A1BEBC51','folder','Set Aside','set aside',10,1795288934086,4280728063,'folder',-996,'setAside',NULL,'',0,9,11,NULL,NULL,NULL,0);
INSERT INTO container VALUES(15,'54784BA5-E6BA-4AA3-BA48-B051E2A632DB','folder','Published','published',10,1795288934086,4280728063,'folder',-995,'published',NULL,'',0,9,11,NULL,NULL,NULL,0);
INSERT INTO container VALUES(16,'C7137FDC-72BB-4AB2-9DE7-E92F80021EB1','folder','Collections','collections',10,1795288934086,4280728063,'folder',-994,'collections',NULL,'',0,9,NULL,NULL,NULL,NULL,0);
INSERT INTO container VALUES(17,'7F8B378D-BFAC-4CC2-9EE9-E6FDEF668152','folder','Submissions','submissions',10,1795288934086,4280728063,'folder',-993,'submissions',NULL,'',0,9,NULL,NULL,NULL,NULL,0);
INSERT INTO container VALUES(18,'D63453C0-4A1D-465D-A754-CA7B924048A6','folder','Research','research',10,1795288934086,4280728063,'folder',-992,'research',NULL,'',0,9,NULL,NULL,NULL,NULL,0);
INSERT INTO container VALUES(19,'F5D42519-5FB9-479B-B7C5-8FCB895E9EC9','folder','Publications','publications',9,1795288934086,4280728063,'folder',-998,'publications',NULL,'',0,9,NULL,NULL,NULL,NULL,0);
INSERT INTO container VALUES(20,'A23A5169-E389-4294-9FC4-FAB31689820D','folder','Magazines','magazines',19,1795288934086,4280728063,'folder',-999,'magazines',NULL,'',0,9,NULL,NULL,NULL,NULL,0);
INSERT INTO container VALUES(21,'2728F275-A46B-49C4-B0A3-C17F1F0FEEA5','folder','Competitions','competitions',19,1795288934086,4280728063,'folder',-998,'competitions',NULL,'',0,9,NULL,NULL,NULL,NULL,0);
INSERT INTO container VALUES(22,'92FCFDE7-9B79-42F4-B35B-7EDF63E3BCA9','folder','Commissions','commissions',19,1795288934086,4280728063,'folder',-997,'commissions',NULL,'',0,9,NULL,NULL,NULL,NULL,0);
INSERT INTO container VALUES(23,'4A4BA3DF-84FC-4B25-89B2-94583D2126A4','folder','Other','other',19,1795288934086,4280728063,'folder',-996,'other',NULL,'',0,9,NULL,NULL,NULL,NULL,0);
CREATE TABLE note (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    uuid TEXT NOT NULL COLLATE NOCASE UNIQUE CHECK (length(uuid) = 36),
    title TEXT NOT NULL,
    titleKey TEXT NOT NULL,
    defaultTitle TEXT NOT NULL,
    createdDate INTEGER NOT NULL,
    updatedDate INTEGER NOT NULL,
    starred INTEGER NOT NULL DEFAULT 0 CHECK (starred IN (0, 1)),
    folder INTEGER REFERENCES container(id) ON DELETE CASCADE,
    place INTEGER NOT NULL DEFAULT 0 CHECK (place IN (0, 1, 2, 3)),
    sortOrder INTEGER NOT NULL DEFAULT 0,
    aiSummary TEXT NOT NULL DEFAULT '',
    contentHash TEXT NOT NULL DEFAULT '',
    preview TEXT NOT NULL DEFAULT '',
    wordCount INTEGER NOT NULL DEFAULT 0,
    size INTEGER NOT NULL DEFAULT 0,
    -- Bits: 1 has a link, 2 an image, 4 an open or done task.
    features INTEGER NOT NULL DEFAULT 0,
    revision INTEGER NOT NULL DEFAULT 1,
    -- 1 where titles are unique in the folder: live in a project.
    uniqueTitle INTEGER NOT NULL DEFAULT 0,
    -- Where it was before Trash, Archive or Buffer (originPlace 1: in Archive, whose own origin stays);
    -- owner is the session that cut it.
    origin INTEGER REFERENCES container(id) ON DELETE SET NULL,
    originPath TEXT,
    originPlace INTEGER NOT NULL DEFAULT 0 CHECK (originPlace IN (0, 1)),
    movedDate INTEGER,
    owner TEXT,
    -- Counts the program's own writes of the title; see search_mark.
    titleStamp INTEGER NOT NULL DEFAULT 0
);
INSERT INTO note VALUES(1,'C7397247-756A-4B0E-840B-4496B367FA80','Reading list','reading list','Reading list',1795288933994,1795288933994,1,7,0,0,'','','Started with Piranesi; see Groceries.',7,57,1,1,0,NULL,NULL,0,NULL,NULL,1);
INSERT INTO note VALUES(2,'B9289A40-E783-450B-B002-A24675A99CF2','Groceries','groceries','Groceries',1795288934040,1795288934040,1,1,0,0,'','','Milk, eggs, coffee filters.',5,38,0,1,0,NULL,NULL,0,NULL,NULL,1);
INSERT INTO note VALUES(3,'7BFA49BA-3ADA-4FD3-A509-688C837B406A','Old plan','old plan','Old plan',1795288934392,1795288934392,0,4,2,0,'','','',2,8,0,1,0,1,'["Inbox"]',0,1795288934449,NULL,1);
CREATE TABLE note_text (
    note INTEGER PRIMARY KEY REFERENCES note(id) ON DELETE CASCADE,
    text TEXT NOT NULL,
    -- Counts the program's own writes of the text; see search_mark.
    stamp INTEGER NOT NULL DEFAULT 0
);
INSERT INTO note_text VALUES(1,replace('# Reading list\n\nStarted with Piranesi; see [[Groceries]].','\n',char(10)),1);
INSERT INTO note_text VALUES(2,replace('Groceries\n\nMilk, eggs, coffee filters.','\n',char(10)),1);
INSERT INTO note_text VALUES(3,'Old plan',1);
CREATE TABLE note_tag (
    note INTEGER NOT NULL REFERENCES note(id) ON DELETE CASCADE,
    tag INTEGER NOT NULL REFERENCES container(id) ON DELETE CASCADE,
    PRIMARY KEY (note, tag)
) WITHOUT ROWID;
INSERT INTO note_tag VALUES(1,8);
CREATE TABLE listing (
    list INTEGER NOT NULL,
    note INTEGER NOT NULL,
    starred INTEGER NOT NULL,
    createdDate INTEGER NOT NULL,
    updatedDate INTEGER NOT NULL,
    titleSort TEXT NOT NULL,
    PRIMARY KEY (note, list)
) WITHOUT ROWID;
INSERT INTO listing VALUES(2,1,1,1795288933994,1795288933994,'reading list');
INSERT INTO listing VALUES(3,1,1,1795288933994,1795288933994,'reading list');
INSERT INTO listing VALUES(7,1,1,1795288933994,1795288933994,'reading list');
INSERT INTO listing VALUES(8,1,1,1795288933994,1795288933994,'reading list');
INSERT INTO listing VALUES(1,2,1,1795288934040,1795288934040,'groceries');
INSERT INTO listing VALUES(2,2,1,1795288934040,1795288934040,'groceries');
INSERT INTO listing VALUES(3,2,1,1795288934040,1795288934040,'groceries');
INSERT INTO listing VALUES(4,3,0,1795288934392,1795288934392,'old plan');
CREATE TABLE note_link (
    source INTEGER NOT NULL REFERENCES note(id) ON DELETE CASCADE,
    ordinal INTEGER NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('note', 'title', 'image')),
    target TEXT NOT NULL COLLATE NOCASE,
    targetKey TEXT NOT NULL,
    destination INTEGER REFERENCES note(id) ON DELETE SET NULL,
    line INTEGER NOT NULL,
    context TEXT NOT NULL,
    PRIMARY KEY (source, ordinal)
) WITHOUT ROWID;
INSERT INTO note_link VALUES(1,0,'title','Groceries','groceries',2,2,'Started with Piranesi; see [[Groceries]].');
CREATE TABLE note_image (
    id INTEGER PRIMARY KEY,
    uuid TEXT NOT NULL COLLATE NOCASE UNIQUE CHECK (length(uuid) = 36),
    hash TEXT NOT NULL UNIQUE,
    mimeType TEXT NOT NULL CHECK (mimeType IN ('image/jpeg', 'image/png')),
    createdDate INTEGER NOT NULL,
    data BLOB NOT NULL
);
CREATE TABLE note_version (
    id INTEGER PRIMARY KEY,
    note INTEGER NOT NULL REFERENCES note(id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    createdDate INTEGER NOT NULL,
    reason TEXT NOT NULL,
    title TEXT NOT NULL,
    wordCount INTEGER NOT NULL,
    hash TEXT NOT NULL,
    text TEXT NOT NULL,
    UNIQUE (note, number)
);
CREATE TABLE former_title (
    titleKey TEXT NOT NULL,
    note INTEGER NOT NULL REFERENCES note(id) ON DELETE CASCADE,
    date INTEGER NOT NULL,
    PRIMARY KEY (titleKey, note)
) WITHOUT ROWID;
CREATE TABLE note_history (
    note INTEGER PRIMARY KEY REFERENCES note(id) ON DELETE CASCADE,
    hash TEXT NOT NULL,
    date INTEGER NOT NULL,
    data BLOB NOT NULL
);
CREATE TABLE action (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    date INTEGER NOT NULL,
    kind TEXT NOT NULL,
    subject TEXT NOT NULL,
    count INTEGER NOT NULL,
    undone INTEGER NOT NULL DEFAULT 0,
    changes TEXT NOT NULL
);
INSERT INTO "action" VALUES(1,1795288933926,'addFolder','Home',1,0,'{"containers":[{"after":{"colorRGBA":4280728063,"createdDate":1795288933926,"details":"","id":"7C9B72DE-A6B3-49B7-BA14-D19B269E62A1","kind":"folder","name":"Home","place":0,"sortOrder":0,"symbol":"folder"}}],"notes":[]}');
INSERT INTO "action" VALUES(2,1795288933980,'addTag','books',1,0,'{"containers":[{"after":{"colorRGBA":4280728063,"createdDate":1795288933980,"details":"","id":"E95F4C13-FFC3-4752-8B5E-C399CA5AE333","kind":"tag","name":"books","notes":[],"place":0,"sortOrder":0,"symbol":"tag.fill"}}],"notes":[]}');
INSERT INTO "action" VALUES(3,1795288934086,'addProject','Poems',1,0,'{"containers":[{"after":{"colorRGBA":4280728063,"createdDate":1795288934086,"details":"","id":"936A80E0-8C48-45F5-8E21-513E80C48F69","kind":"project","name":"Poems","place":0,"projectType":"poetry","sortOrder":0,"symbol":"folder"}}],"notes":[]}');
INSERT INTO "action" VALUES(4,1795288934169,'archive','Groceries',1,0,'{"containers":[],"notes":[{"after":{"defaultTitle":"Groceries","folder":"7A4E0000-0000-4000-8000-000000000005","id":"B9289A40-E783-450B-B002-A24675A99CF2","movedDate":1795288934169,"origin":"7A4E0000-0000-4000-8000-000000000001","originPath":"[\"Inbox\"]","originPlace":0,"place":1,"starred":false,"tags":[],"title":"Groceries","updatedDate":1795288934040},"before":{"defaultTitle":"Groceries","folder":"7A4E0000-0000-4000-8000-000000000001","id":"B9289A40-E783-450B-B002-A24675A99CF2","originPlace":0,"place":0,"starred":false,"tags":[],"title":"Groceries","updatedDate":1795288934040}}]}');
INSERT INTO "action" VALUES(5,1795288934237,'unarchive','Groceries',1,0,'{"containers":[],"notes":[{"after":{"defaultTitle":"Groceries","folder":"7A4E0000-0000-4000-8000-000000000001","id":"B9289A40-E783-450B-B002-A24675A99CF2","originPlace":0,"place":0,"starred":false,"tags":[],"title":"Groceries","updatedDate":1795288934040},"before":{"defaultTitle":"Groceries","folder":"7A4E0000-0000-4000-8000-000000000005","id":"B9289A40-E783-450B-B002-A24675A99CF2","movedDate":1795288934169,"origin":"7A4E0000-0000-4000-8000-000000000001","originPath":"[\"Inbox\"]","originPlace":0,"place":1,"starred":false,"tags":[],"title":"Groceries","updatedDate":1795288934040}}]}');
INSERT INTO "action" VALUES(6,1795288934314,'star','Groceries',1,0,'{"containers":[],"notes":[{"after":{"defaultTitle":"Groceries","folder":"7A4E0000-0000-4000-8000-000000000001","id":"B9289A40-E783-450B-B002-A24675A99CF2","originPlace":0,"place":0,"starred":true,"tags":[],"title":"Groceries","updatedDate":1795288934040},"before":{"defaultTitle":"Groceries","folder":"7A4E0000-0000-4000-8000-000000000001","id":"B9289A40-E783-450B-B002-A24675A99CF2","originPlace":0,"place":0,"starred":false,"tags":[],"title":"Groceries","updatedDate":1795288934040}}]}');
INSERT INTO "action" VALUES(7,1795288934449,'trash','Old plan',1,0,'{"containers":[],"notes":[{"after":{"defaultTitle":"Old plan","folder":"7A4E0000-0000-4000-8000-000000000004","id":"7BFA49BA-3ADA-4FD3-A509-688C837B406A","movedDate":1795288934449,"origin":"7A4E0000-0000-4000-8000-000000000001","originPath":"[\"Inbox\"]","originPlace":0,"place":2,"starred":false,"tags":[],"title":"Old plan","updatedDate":1795288934392},"before":{"defaultTitle":"Old plan","folder":"7A4E0000-0000-4000-8000-000000000001","id":"7BFA49BA-3ADA-4FD3-A509-688C837B406A","originPlace":0,"place":0,"starred":false,"tags":[],"title":"Old plan","updatedDate":1795288934392}}]}');
CREATE TABLE import_source (
    path TEXT PRIMARY KEY,
    hash TEXT NOT NULL,
    note INTEGER NOT NULL REFERENCES note(id) ON DELETE CASCADE
) WITHOUT ROWID;
CREATE TABLE setting (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE VIRTUAL TABLE search USING fts5 (title, text, content = '', tokenize = 'ascii');
INSERT OR REPLACE INTO search_data VALUES(1,X'03050e');
INSERT OR REPLACE INTO search_data VALUES(10,X'000000000103030003010101020101030101');
INSERT OR REPLACE INTO search_data VALUES(137438953473,X'000000600a3067726f636572696573010601010801046c6973740108030101030108706972616e6573690106010106010772656164696e670108020101020103736565010601010702067461727465640106010104010477697468010601010504100c0f0f0a0d');
INSERT OR REPLACE INTO search_data VALUES(274877906945,X'000000460730636f6666656502060101050104656767730206010104010766696c746572730206010106010967726f63657269657302080201010201046d696c6b0206010103040d0b0e11');
INSERT OR REPLACE INTO search_data VALUES(412316860417,X'0000001b04306f6c640308020101020104706c616e030803010103040b');
INSERT OR REPLACE INTO search_idx VALUES(1,X'',2);
INSERT OR REPLACE INTO search_idx VALUES(2,X'',2);
INSERT OR REPLACE INTO search_idx VALUES(3,X'',2);
INSERT OR REPLACE INTO search_docsize VALUES(1,X'0207');
INSERT OR REPLACE INTO search_docsize VALUES(2,X'0105');
INSERT OR REPLACE INTO search_docsize VALUES(3,X'0202');
INSERT OR REPLACE INTO search_config VALUES('version',4);
CREATE VIRTUAL TABLE search_title USING fts5 (title, content = '', tokenize = 'ascii', prefix = '1 2 3');
INSERT OR REPLACE INTO search_title_data VALUES(1,X'0305');
INSERT OR REPLACE INTO search_title_data VALUES(10,X'000000000103030003010101020101030101');
INSERT OR REPLACE INTO search_title_data VALUES(137438953473,X'0000004605306c697374010203010772656164696e670102020002316c0102030101720102020003326c69010203010272650102020004336c6973010203010372656101020204090c0706080709');
INSERT OR REPLACE INTO search_title_data VALUES(274877906945,X'0000002a0a3067726f63657269657302020200023167020202000332677202020200043367726f020202040e0708');
INSERT OR REPLACE INTO search_title_data VALUES(412316860417,X'0000004204306f6c640302020104706c616e0302030002316f0302020101700302030003326f6c0302020102706c0302030004336f6c640302020103706c610302030408090706080709');
INSERT OR REPLACE INTO search_title_idx VALUES(1,X'',2);
INSERT OR REPLACE INTO search_title_idx VALUES(2,X'',2);
INSERT OR REPLACE INTO search_title_idx VALUES(3,X'',2);
INSERT OR REPLACE INTO search_title_docsize VALUES(1,X'02');
INSERT OR REPLACE INTO search_title_docsize VALUES(2,X'01');
INSERT OR REPLACE INTO search_title_docsize VALUES(3,X'02');
INSERT OR REPLACE INTO search_title_config VALUES('version',4);
CREATE TABLE search_term (term TEXT PRIMARY KEY, stem TEXT NOT NULL) WITHOUT ROWID;
INSERT INTO search_term VALUES('coffee','coffe');
INSERT INTO search_term VALUES('eggs','egg');
INSERT INTO search_term VALUES('filters','filter');
INSERT INTO search_term VALUES('groceries','groceri');
INSERT INTO search_term VALUES('list','list');
INSERT INTO search_term VALUES('milk','milk');
INSERT INTO search_term VALUES('old','old');
INSERT INTO search_term VALUES('piranesi','piranesi');
INSERT INTO search_term VALUES('plan','plan');
INSERT INTO search_term VALUES('reading','read');
INSERT INTO search_term VALUES('see','see');
INSERT INTO search_term VALUES('started','start');
INSERT INTO search_term VALUES('with','with');
CREATE TABLE search_mark (note INTEGER PRIMARY KEY, title TEXT, text TEXT);
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES('action',7);
INSERT INTO sqlite_sequence VALUES('note',3);
CREATE INDEX container_parent ON container(parent);
CREATE INDEX container_nameKey ON container(nameKey);
CREATE INDEX container_project ON container(project) WHERE project IS NOT NULL;
CREATE INDEX container_gatheredBy ON container(gatheredBy) WHERE gatheredBy IS NOT NULL;
CREATE INDEX container_duplicate ON container(kind)
    WHERE id > 6 AND kind IN ('inbox', 'starred', 'allNotes', 'trash', 'archive', 'buffer');
CREATE INDEX container_origin ON container(origin) WHERE origin IS NOT NULL;
CREATE UNIQUE INDEX container_name ON container(ifnull(parent, 0), kind = 'tag', nameKey)
    WHERE kind IN ('folder', 'project', 'tag') AND parent IS NOT 4;
CREATE UNIQUE INDEX container_role ON container(parent, role) WHERE role IS NOT NULL AND parent IS NOT 4;
CREATE INDEX note_folder ON note(folder);
CREATE INDEX note_titleKey ON note(titleKey);
CREATE INDEX note_origin ON note(origin) WHERE origin IS NOT NULL;
CREATE INDEX note_owner ON note(owner) WHERE owner IS NOT NULL;
CREATE UNIQUE INDEX note_uniqueTitle ON note(folder, titleKey) WHERE uniqueTitle = 1;
CREATE INDEX note_tag_tag ON note_tag(tag);
CREATE INDEX listing_created ON listing(list, starred, createdDate, note);
CREATE INDEX listing_updated ON listing(list, starred, updatedDate, note);
CREATE INDEX listing_title ON listing(list, starred, titleSort, note);
CREATE INDEX note_link_destination ON note_link(destination) WHERE destination IS NOT NULL;
CREATE INDEX note_link_target ON note_link(kind, targetKey);
CREATE INDEX former_title_note ON former_title(note);
CREATE INDEX import_source_note ON import_source(note);
CREATE INDEX search_term_stem ON search_term(stem);
CREATE INDEX search_term_short ON search_term(substr(term, 1, 1), length(term));
CREATE VIEW notes AS
    SELECT note.uuid, note.title, note_text.text AS content, container.name AS folder,
        (SELECT group_concat(tag.name, ', ') FROM note_tag JOIN container AS tag ON tag.id = note_tag.tag
            WHERE note_tag.note = note.id) AS tags,
        note.starred,
        CASE note.place WHEN 0 THEN 'live' WHEN 1 THEN 'archive' WHEN 2 THEN 'trash' ELSE 'buffer' END AS place,
        strftime('%Y-%m-%dT%H:%M:%fZ', note.createdDate / 1000.0, 'unixepoch') AS createdDate,
        strftime('%Y-%m-%dT%H:%M:%fZ', note.updatedDate / 1000.0, 'unixepoch') AS updatedDate,
        note.wordCount, note.aiSummary
    FROM note LEFT JOIN note_text ON note_text.note = note.id LEFT JOIN container ON container.id = note.folder;
CREATE TRIGGER container_insert BEFORE INSERT ON container BEGIN
    SELECT RAISE(ABORT, 'only folders have a parent')
        WHERE NEW.parent IS NOT NULL AND NEW.kind <> 'folder';
    SELECT RAISE(ABORT, 'parent cannot hold folders') WHERE EXISTS (SELECT 1 FROM container AS parent WHERE parent.id = NEW.parent AND (
    parent.kind NOT IN ('folder', 'project', 'trash')
    OR parent.role IN ('all', 'draft', 'ready', 'setAside', 'published')));
    SELECT RAISE(ABORT, 'name of a system folder')
        WHERE NEW.parent IS NULL AND NEW.kind IN ('folder', 'project') AND EXISTS
            (SELECT 1 FROM container WHERE id <= 6 AND nameKey = NEW.nameKey);
END;
CREATE TRIGGER container_move BEFORE UPDATE OF parent, kind ON container BEGIN
    SELECT RAISE(ABORT, 'only folders have a parent') WHERE NEW.parent IS NOT NULL
        AND NEW.kind <> 'folder' AND NOT (NEW.kind = 'project' AND NEW.parent = 4);
    SELECT RAISE(ABORT, 'parent cannot hold folders') WHERE EXISTS (SELECT 1 FROM container AS parent WHERE parent.id = NEW.parent AND (
    parent.kind NOT IN ('folder', 'project', 'trash')
    OR parent.role IN ('all', 'draft', 'ready', 'setAside', 'published')));
    SELECT RAISE(ABORT, 'cycle') WHERE NEW.parent IS NOT NULL AND NEW.id IN (
        WITH RECURSIVE above(id) AS (SELECT NEW.parent UNION
            SELECT container.parent FROM container JOIN above ON container.id = above.id
            WHERE container.parent IS NOT NULL)
        SELECT id FROM above);
END;
CREATE TRIGGER container_rename BEFORE UPDATE OF name, nameKey, parent ON container
    WHEN NEW.parent IS NULL AND NEW.kind IN ('folder', 'project') BEGIN
    SELECT RAISE(ABORT, 'name of a system folder')
        WHERE EXISTS (SELECT 1 FROM container WHERE id <= 6 AND nameKey = NEW.nameKey);
END;
CREATE TRIGGER container_delete BEFORE DELETE ON container BEGIN
    SELECT RAISE(ABORT, 'system folder') WHERE OLD.id <= 6;
    SELECT RAISE(ABORT, 'not in Trash') WHERE OLD.kind IN ('folder', 'project') AND OLD.place <> 2;
END;
CREATE TRIGGER container_deleted AFTER DELETE ON container BEGIN
    DELETE FROM listing WHERE list = OLD.id;
END;
CREATE TRIGGER note_insert BEFORE INSERT ON note WHEN NEW.folder IS NOT NULL BEGIN
    SELECT RAISE(ABORT, 'container cannot hold notes')
        WHERE NOT EXISTS (SELECT 1 FROM container WHERE id = NEW.folder
    AND kind IN ('inbox', 'folder', 'archive', 'trash', 'buffer')
    AND ifnull(role, '') NOT IN ('work', 'all', 'publications')
    AND NEW.place = CASE kind WHEN 'archive' THEN 1 WHEN 'trash' THEN 2 WHEN 'buffer' THEN 3 ELSE place END);
END;
CREATE TRIGGER note_move BEFORE UPDATE OF folder, place ON note WHEN NEW.folder IS NOT NULL BEGIN
    SELECT RAISE(ABORT, 'container cannot hold notes')
        WHERE NOT EXISTS (SELECT 1 FROM container WHERE id = NEW.folder
    AND kind IN ('inbox', 'folder', 'archive', 'trash', 'buffer')
    AND ifnull(role, '') NOT IN ('work', 'all', 'publications')
    AND NEW.place = CASE kind WHEN 'archive' THEN 1 WHEN 'trash' THEN 2 WHEN 'buffer' THEN 3 ELSE place END);
END;
CREATE TRIGGER note_delete BEFORE DELETE ON note WHEN OLD.place <> 2 BEGIN
    SELECT RAISE(ABORT, 'not in Trash');
END;
CREATE TRIGGER note_listed AFTER INSERT ON note BEGIN
    INSERT OR IGNORE INTO listing (list, note, starred, createdDate, updatedDate, titleSort)
        SELECT list, NEW.id, NEW.starred, NEW.createdDate, NEW.updatedDate, substr(NEW.titleKey, 1, 64) FROM (
            SELECT NEW.folder AS list WHERE NEW.folder IS NOT NULL
            UNION ALL SELECT 3 WHERE NEW.place = 0
            UNION ALL SELECT 2 WHERE NEW.place = 0 AND NEW.starred = 1
            UNION ALL SELECT project FROM container
                WHERE id = NEW.folder AND NEW.place = 0 AND project IS NOT NULL
            UNION ALL SELECT gatheredBy FROM container
                WHERE id = NEW.folder AND NEW.place = 0 AND gatheredBy IS NOT NULL
            UNION ALL SELECT tag FROM note_tag WHERE note = NEW.id AND NEW.place = 0);
END;
CREATE TRIGGER note_relisted AFTER UPDATE OF folder, place, starred ON note
    WHEN OLD.folder IS NOT NEW.folder OR OLD.place <> NEW.place OR OLD.starred <> NEW.starred BEGIN
    DELETE FROM listing WHERE note = NEW.id;
    INSERT OR IGNORE INTO listing (list, note, starred, createdDate, updatedDate, titleSort)
        SELECT list, NEW.id, NEW.starred, NEW.createdDate, NEW.updatedDate, substr(NEW.titleKey, 1, 64) FROM (
            SELECT NEW.folder AS list WHERE NEW.folder IS NOT NULL
            UNION ALL SELECT 3 WHERE NEW.place = 0
            UNION ALL SELECT 2 WHERE NEW.place = 0 AND NEW.starred = 1
            UNION ALL SELECT project FROM container
                WHERE id = NEW.folder AND NEW.place = 0 AND project IS NOT NULL
            UNION ALL SELECT gatheredBy FROM container
                WHERE id = NEW.folder AND NEW.place = 0 AND gatheredBy IS NOT NULL
            UNION ALL SELECT tag FROM note_tag WHERE note = NEW.id AND NEW.place = 0);
END;
CREATE TRIGGER note_reordered AFTER UPDATE OF createdDate, updatedDate, titleKey ON note BEGIN
    UPDATE listing SET createdDate = NEW.createdDate, updatedDate = NEW.updatedDate,
        titleSort = substr(NEW.titleKey, 1, 64) WHERE note = NEW.id;
END;
CREATE TRIGGER note_unlisted AFTER DELETE ON note BEGIN
    DELETE FROM listing WHERE note = OLD.id;
END;
CREATE TRIGGER note_tagged AFTER INSERT ON note_tag BEGIN
    INSERT OR IGNORE INTO listing (list, note, starred, createdDate, updatedDate, titleSort)
        SELECT NEW.tag, id, starred, createdDate, updatedDate, substr(titleKey, 1, 64)
        FROM note WHERE id = NEW.note AND place = 0;
END;
CREATE TRIGGER note_untagged AFTER DELETE ON note_tag BEGIN
    DELETE FROM listing WHERE note = OLD.note AND list = OLD.tag;
END;
CREATE TRIGGER container_regathered AFTER UPDATE OF project, gatheredBy ON container
    WHEN OLD.project IS NOT NEW.project OR OLD.gatheredBy IS NOT NEW.gatheredBy BEGIN
    DELETE FROM listing WHERE list IN (OLD.project, OLD.gatheredBy)
        AND note IN (SELECT id FROM note WHERE folder = NEW.id);
    INSERT OR IGNORE INTO listing (list, note, starred, createdDate, updatedDate, titleSort)
        SELECT list.id, note.id, note.starred, createdDate, updatedDate, substr(titleKey, 1, 64)
        FROM note JOIN (SELECT NEW.project AS id UNION ALL SELECT NEW.gatheredBy) AS list
        WHERE note.folder = NEW.id AND note.place = 0 AND list.id IS NOT NULL;
END;
CREATE TRIGGER listing_inserted AFTER INSERT ON listing BEGIN
    UPDATE container SET noteCount = noteCount + 1 WHERE id = NEW.list;
END;
CREATE TRIGGER listing_deleted AFTER DELETE ON listing BEGIN
    UPDATE container SET noteCount = noteCount - 1 WHERE id = OLD.list;
END;
CREATE TRIGGER note_text_inserted AFTER INSERT ON note_text WHEN NEW.stamp = 0 BEGIN
    INSERT OR IGNORE INTO search_mark (note) VALUES (NEW.note);
END;
CREATE TRIGGER note_text_changed AFTER UPDATE OF text ON note_text
    WHEN NEW.stamp = OLD.stamp AND NEW.text IS NOT OLD.text BEGIN
    INSERT OR IGNORE INTO search_mark (note, title, text)
        SELECT id, title, OLD.text FROM note WHERE id = NEW.note;
END;
CREATE TRIGGER note_title_changed AFTER UPDATE OF title ON note
    WHEN NEW.titleStamp = OLD.titleStamp AND NEW.title IS NOT OLD.title BEGIN
    INSERT OR IGNORE INTO search_mark (note, title, text)
        SELECT NEW.id, OLD.title, text FROM note_text WHERE note = NEW.id;
END;
CREATE TRIGGER note_deleted BEFORE DELETE ON note WHEN OLD.titleStamp >= 0 BEGIN
    INSERT OR IGNORE INTO search_mark (note, title, text)
        SELECT OLD.id, OLD.title, text FROM note_text WHERE note = OLD.id;
END;
PRAGMA user_version = 1;
