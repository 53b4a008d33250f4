//! An HTTP server with scripted answers, which records the received requests.
use serde_json::Value;
use std::{
    collections::HashMap,
    io::{BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

#[derive(Debug, Clone)]
pub struct Received {
    pub method: String,
    pub path: String,
    pub headers: HashMap<String, String>,
    pub body: Value,
}

#[derive(Debug, Clone)]
pub struct Reply {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
    /// The connection ends without a complete answer.
    pub cut: bool,
    /// No answer, until the client leaves.
    pub silent: bool,
    /// Sent again and again after the body, until the client leaves.
    pub endless: Vec<u8>,
}

impl Reply {
    pub fn json(status: u16, body: &Value) -> Self {
        let content_type = if status < 400 { "application/json" } else { "application/problem+json" };
        Self {
            status,
            headers: vec![("content-type".into(), content_type.into())],
            body: body.to_string().into(),
            cut: false,
            silent: false,
            endless: Vec::new(),
        }
    }

    pub fn silent() -> Self {
        Self { silent: true, ..Self::none() }
    }

    /// A body of any type.
    pub fn raw(status: u16, content_type: &str, body: &str) -> Self {
        Self { headers: vec![("content-type".into(), content_type.into())], body: body.into(), ..Self::json(status, &Value::Null) }
    }

    /// A body that never ends.
    pub fn endless(content_type: &str, begin: &str, unit: &str) -> Self {
        Self { endless: unit.repeat((1 << 20) / unit.len()).into(), ..Self::raw(200, content_type, begin) }
    }

    /// No answer at all.
    pub fn none() -> Self {
        Self { status: 0, headers: Vec::new(), body: Vec::new(), cut: true, silent: false, endless: Vec::new() }
    }
}

pub struct WireServer {
    pub url: String,
    received: Arc<Mutex<Vec<Received>>>,
    left: Arc<AtomicUsize>,
}

impl WireServer {
    pub fn start(answer: impl Fn(&Received) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let server = Self { url: format!("http://{}", listener.local_addr().unwrap()), received: Arc::default(), left: Arc::default() };
        let (received, left, answer) = (server.received.clone(), server.left.clone(), Arc::new(answer));
        thread::spawn(move || {
            for stream in listener.incoming() {
                let (received, left, answer) = (received.clone(), left.clone(), answer.clone());
                thread::spawn(move || serve(stream.unwrap(), &received, &left, &*answer));
            }
        });
        server
    }

    /// Sends each reply once, in order.
    pub fn with_replies(replies: Vec<Reply>) -> Self {
        let replies = Mutex::new(replies.into_iter());
        Self::start(move |_| replies.lock().unwrap().next().expect("no more requests"))
    }

    /// The number of clients that left a silent or an endless answer.
    pub fn left(&self) -> usize {
        self.left.load(Ordering::SeqCst)
    }

    pub fn received(&self) -> Vec<Received> {
        self.received.lock().unwrap().clone()
    }
}

fn serve(mut stream: TcpStream, received: &Mutex<Vec<Received>>, left: &AtomicUsize, answer: &dyn Fn(&Received) -> Reply) {
    let Some(request) = read(&stream) else { return };
    received.lock().unwrap().push(request.clone());
    let reply = answer(&request);
    if reply.silent {
        // A read ends when the client closes the connection.
        let _ = stream.read(&mut [0]);
        left.fetch_add(1, Ordering::SeqCst);
        return;
    }
    let length = if reply.status == 204 {
        String::new()
    } else if reply.endless.is_empty() {
        format!("content-length: {}\r\n", reply.body.len())
    } else {
        String::new()
    };
    let mut head = format!("HTTP/1.1 {} Status\r\n{length}connection: close\r\n", reply.status);
    for (name, value) in &reply.headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    if reply.status > 0 {
        let body = if reply.cut { &reply.body[..reply.body.len() / 2] } else { &reply.body };
        // The client may have disconnected.
        let _ = stream.write_all(&[head.as_bytes(), b"\r\n", body].concat());
        if !reply.endless.is_empty() {
            while stream.write_all(&reply.endless).is_ok() {}
            left.fetch_add(1, Ordering::SeqCst);
        }
    }
}

/// `None` for a connection without a request.
fn read(stream: &TcpStream) -> Option<Received> {
    let mut reader = BufReader::new(stream);
    let mut line = || {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        Some(line.trim_end().to_owned())
    };
    let first = line()?;
    let (method, path) = first.strip_suffix(" HTTP/1.1")?.split_once(' ')?;
    let mut headers = HashMap::new();
    while let Some((name, value)) = line()?.split_once(':') {
        let former = headers.insert(name.to_ascii_lowercase(), value.trim().to_owned());
        assert!(former.is_none(), "{name} comes twice");
    }
    let mut body = vec![0; headers.get("content-length").map_or(0, |length| length.parse().unwrap())];
    reader.read_exact(&mut body).ok()?;
    let body = if body.is_empty() { Value::Null } else { serde_json::from_slice(&body).unwrap() };
    Some(Received { method: method.into(), path: path.into(), headers, body })
}
